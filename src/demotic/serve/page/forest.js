// The likely part of the forest, with zoom.

import { ask, Latest } from "./api.js";
import { drawing, el } from "./dom.js";
import { pair, state } from "./state.js";

export const about = "Enter a sentence to see its most likely translations as one forest.";

export const usesReference = false;

const SMALLEST_AT_FIRST = 0.6; // words are hard to read below; a wider drawing scrolls
const latest = new Latest();
/** @type {HTMLInputElement} */
let edges;

/** @returns {HTMLElement[]} */
export function settings() {
  edges = el("input", { type: "number", min: "1", max: "400", value: "60", required: true });
  return [el("label", {}, el("span", {}, "Edges"), edges)];
}

/** @param {HTMLElement} place */
export async function draw(place) {
  await latest.run(async (signal) => {
    const found = await ask("/v1/forest", { text: state.sentence, edges: Number(edges.value), drawings: true, ...pair() }, signal);
    const picture = drawing(found.drawings.forest, "drawing tall");
    picture.tabIndex = 0;
    const { tools, fit } = zoom(picture);
    place.replaceChildren(
      el("p", { className: "verdict" }, el("bdi", { dir: "auto", lang: pair().target }, found.translation)),
      el("p", { className: "note" }, `The search found ${found.derivations.toLocaleString("en")} derivations in a forest of ${found.nodes.toLocaleString("en")} nodes and ${found.edges.toLocaleString("en")} edges. These are the ${found.shown_edges} best edges; thick lines are likely, blue is the best derivation. Point at a line, or click it, to read its rule.`),
      tools, picture);
    for (const event of ["click", "focusin"]) {
      picture.addEventListener(event, ({ target }) => readRule(target, tools.querySelector("output")));
    }
    fit(SMALLEST_AT_FIRST);
  });
}

/** Shows the rule of a line, at which neither a finger nor a key can point. @param {Element} target @param {HTMLOutputElement} place */
function readRule(target, place) {
  const title = target.closest(".hit")?.querySelector("title");
  if (title) place.textContent = title.textContent;
}

/**
 * Buttons that resize the drawing; + and - do the same when it has the focus. `fit` takes the
 * smallest scale that it may choose.
 * @param {HTMLElement} picture
 * @returns {{tools: HTMLElement, fit: (smallest?: number) => void}}
 */
function zoom(picture) {
  const svg = picture.querySelector("svg");
  const [width, height] = [svg.width.baseVal.value, svg.height.baseVal.value];
  let scale = 1;
  /** @param {number} wanted */
  const set = (wanted) => {
    scale = Math.min(4, Math.max(0.15, wanted));
    svg.setAttribute("width", String(width * scale));
    svg.setAttribute("height", String(height * scale));
  };
  const fit = (smallest = 0) => set(Math.max(smallest, Math.min(1, (picture.clientWidth - 34) / width)));
  picture.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") set(scale * 1.25);
    else if (event.key === "-") set(scale / 1.25);
  });
  /** @param {string} text @param {string} title @param {() => void} act */
  const button = (text, title, act) => el("button", { type: "button", title, onclick: act }, text);
  const tools = el("div", { className: "tools" },
    button("−", "Smaller (-)", () => set(scale / 1.25)), button("+", "Larger (+)", () => set(scale * 1.25)),
    button("Fit", "Fit to the width", () => fit()), button("1:1", "Original size", () => set(1)),
    el("output", {}));
  return { tools, fit };
}
