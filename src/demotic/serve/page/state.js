// What all views share: the models, the chosen one, the text, and the sentence that is looked at.

export const state = {
  /** @type {{name: string, source: string, target: string, title: string, kind: string, beam_size: number}[]} */
  models: [],
  chosen: 0,
  text: "",
  sentence: "",
  reference: "",
  limit: 0,
  /** @type {string[]} */
  formats: [],
};

/** The chosen model. */
export const model = () => state.models[state.chosen];

/** Source and target of a model, as requests have them. */
export const pair = (one = model()) => ({ source: one.source, target: one.target });
