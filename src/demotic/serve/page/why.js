// Why a translation won: derivation, features, rivals, word links.

import { ask, Latest } from "./api.js";
import { drawing, el } from "./dom.js";
import { pair, state } from "./state.js";

export const about = "Enter a sentence to see how its translation was put together and why it won.";

const latest = new Latest();
/** @type {HTMLSelectElement} */
let evidence;

/** @returns {HTMLElement[]} */
export function settings() {
  evidence = el("select", {}, ...[["0", "not shown"], ["3", "3 per rule"], ["10", "10 per rule"]].map(
    ([value, text]) => el("option", { value }, text)));
  return [el("label", { className: "broad" }, el("span", {}, "Training pairs"), evidence)];
}

/** @param {HTMLElement} place */
export async function draw(place) {
  const body = { text: state.sentence, reference: state.reference, evidence: Number(evidence.value), drawings: true, ...pair() };
  await latest.run(async (signal) => {
    const found = await ask("/v1/explain", body, signal);
    place.replaceChildren(drawing(found.drawings.why, "why"));
    for (const fold of place.querySelectorAll("details")) fold.open = fold.querySelector("svg") !== null;
  });
}
