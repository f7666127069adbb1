// The beam: bins across, ranks down; a slider over the bins; two searches side by side.

import { ask, Latest } from "./api.js";
import { drawing, el } from "./dom.js";
import { model, pair, state } from "./state.js";

export const about = "Enter a sentence to see the partial translations that competed in each bin of the search.";

const latest = new Latest();
/** @type {HTMLInputElement} */
let beam;
/** @type {HTMLInputElement} */
let other; // a second beam, if it is not empty
/** @type {HTMLSelectElement} */
let otherModel;

/**
 * What the page reads of an answer of /v1/search.
 * @typedef {object} Found
 * @property {string} kind
 * @property {string} translation
 * @property {number} score
 * @property {{name: string, entered: number}[]} bins
 * @property {{reachable: boolean, lost_in_bin: string|null}|null} reference
 * @property {{beam: string, bins: string[]}} drawings
 */

/** @returns {HTMLElement[]} */
export function settings() {
  const { beam_size: usual, source } = model();
  beam = el("input", { type: "number", min: "1", max: "1000", value: String(usual), required: true });
  other = el("input", { type: "number", min: "1", max: "1000", placeholder: "none" });
  const options = state.models.map((one, i) => [one, i]).filter(([one]) => one.source === source);
  otherModel = el("select", {}, ...options.map(([one, i]) => el("option", { value: String(i), selected: i === state.chosen }, `${one.title} (${one.name})`)));
  const labels = [
    el("label", {}, el("span", {}, "Beam size"), beam),
    el("label", {}, el("span", {}, "Compare with beam"), other),
  ];
  if (options.length > 1) labels.push(el("label", { className: "broad" }, el("span", {}, "of the model"), otherModel));
  return labels;
}

/** @param {HTMLElement} place */
export async function draw(place) {
  const asked = [[model(), beam.value]];
  if (other.value) asked.push([state.models[Number(otherModel.value)], other.value]);
  await latest.run(async (signal) => {
    const found = await Promise.all(asked.map(([one, size]) => ask("/v1/search", {
      text: state.sentence, reference: state.reference, drawings: true, ...pair(one),
      options: { beam_size: Number(size) },
    }, signal)));
    place.replaceChildren(
      el("ul", { className: "key-list" },
        ...[["winner", "in the best translation"], ["goal", "in a complete translation"], ["alive", "kept, but in none"], ["dead", "pruned"]].map(
          ([name, text]) => el("li", {}, el("span", { className: `swatch ${name}` }), text)),
        el("li", {}, "paler: worse"), el("li", {}, "○ recombined"), el("li", {}, "✓ agrees with the reference")),
      el("div", { className: "compare" }, ...found.map((one, i) => beamOf(one, asked[i]))));
  });
}

/**
 * One search: its drawing, and the hypotheses of the chosen bin.
 * @param {Found} found
 * @param {[import("./state.js").Model, string]} asked
 * @returns {HTMLElement}
 */
function beamOf(found, [one, size]) {
  const picture = drawing(found.drawings.beam, "drawing tall");
  picture.tabIndex = 0;
  const table = el("div", { className: "drawing tall" });
  const slider = el("input", { type: "range", min: "0", max: String(found.bins.length - 1), value: "0", "aria-label": "Bin" });
  const name = el("output", {});
  const columns = [...picture.querySelectorAll(".bin")];
  /** @param {number} i */
  const choose = (i) => {
    slider.value = String(i);
    const bin = found.bins[i];
    name.textContent = found.kind === "phrase" ? `${bin.name} covered` : bin.name;
    columns.forEach((column, j) => column.classList.toggle("chosen", i === j));
    table.replaceChildren(drawing(found.drawings.bins[i]));
  };
  slider.addEventListener("input", () => choose(Number(slider.value)));
  columns.forEach((column, i) => {
    column.addEventListener("click", () => choose(i));
    column.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(i); });
  });
  if (found.bins.length) choose(0);
  return el("section", {},
    el("h2", {}, `${one.title}, beam ${size}`),
    el("p", { className: "verdict" }, el("bdi", { dir: "auto", lang: one.target }, found.translation), ` (${found.score.toFixed(2)})`),
    el("p", { className: "note" }, verdict(found)),
    el("div", { className: "beam-view" }, picture,
      el("div", {}, el("div", { className: "slider" }, slider, name), table)));
}

/** What became of the reference. @param {Found} found */
function verdict({ reference, bins, kind }) {
  const entered = bins.reduce((sum, bin) => sum + bin.entered, 0).toLocaleString("en");
  const competed = `${entered} partial translations competed in ${bins.length} bins.`;
  if (!reference) return competed;
  if (!reference.reachable) return `${competed} No sequence of rules gives the reference.`;
  if (reference.lost_in_bin) return `${competed} The reference fell off the beam in bin ${reference.lost_in_bin} (dashed line).`;
  return kind === "phrase" ? `${competed} The reference stayed in the beam until the end.` : `${competed} Rules can give the reference.`;
}
