// What all views share: the models, the chosen one, the text, and the sentence that is looked at.

/** @typedef {{name: string, source: string, target: string, title: string, kind: string, beam_size: number}} Model */

export const state = {
  /** @type {Model[]} */
  models: [],
  chosen: 0,
  text: "",
  sentence: "",
  reference: "",
  limit: 0,
  /** @type {string[]} */
  formats: [],
};

/** The chosen model. @returns {Model} */
export const model = () => state.models[state.chosen];

/** Source and target of a model, as requests have them. @param {Model} [one] @returns {{source: string, target: string}} */
export const pair = (one = model()) => ({ source: one.source, target: one.target });
