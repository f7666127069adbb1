// Where the search loses a reference: d+ against d-, bin by bin; and a training run, epoch by epoch.

import { ask, Latest, Refused } from "./api.js";
import { drawing, el } from "./dom.js";
import { pair, state } from "./state.js";

export const about = "Enter a sentence and its reference to see in which bins the search prefers something else.";
export const needsReference = true;

const latest = new Latest();

/** @returns {HTMLElement[]} */
export const settings = () => [];

/** @param {HTMLElement} place */
export async function draw(place) {
  if (!state.reference) throw new Refused("Enter a reference: the translation that the search should find.");
  await latest.run(async (signal) => {
    const found = await ask("/v1/violations", { text: state.sentence, reference: state.reference, drawings: true, ...pair() }, signal);
    place.replaceChildren(el("p", { className: "verdict" }, verdict(found)));
    if (found.drawings.bins) {
      place.append(
        el("h2", {}, "Bin by bin"),
        el("p", {}, "d+ is the best derivation that leads to the reference, d− the best one in the beam that does not. Where d− is above d+ (red), the search is about to lose the reference: a violation. Training fixes the largest one (ringed). A red dot marks bins whose beam holds no way to the reference."),
        drawing(found.drawings.bins, "drawing"));
    }
    if (found.drawings.epochs) {
      place.append(
        el("h2", {}, "The training run of this model"),
        el("p", {}, "Mean violation per update, and the score on the dev set, after each pass over the bitext."),
        el("div", { className: "compare" }, drawing(found.drawings.epochs, "drawing"), drawing(found.drawings.scores, "drawing")));
    } else {
      place.append(el("p", { className: "note" }, "This model has no record of a training run (demotic train writes one)."));
    }
  });
}

/**
 * The result in one sentence.
 * @param {{reachable: boolean, correct: boolean, chosen: number, violation: number, bins: {name: string}[]}} found
 */
function verdict(found) {
  if (!found.reachable) return "No sequence of rules gives this reference: it is not reachable, so that there is nothing to compare with.";
  if (found.correct) return "The best translation is the reference: nothing to fix.";
  if (found.chosen < 0) return "No bin holds both a derivation of the reference and another one.";
  const bin = found.bins[found.chosen];
  const size = Math.abs(found.violation).toFixed(2);
  return found.violation >= 0
    ? `The largest violation is ${size} points, in bin ${bin.name}.`
    : `There is no violation: d+ is ahead in every bin, by at least ${size} points.`;
}
