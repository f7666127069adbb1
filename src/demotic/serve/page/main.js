// Chooses the view by the part of the address after #, and the model.

import { ask, askForKey, Refused } from "./api.js";
import { byId, el, say, writtenIn } from "./dom.js";
import { model, state } from "./state.js";
import * as forest from "./forest.js";
import * as search from "./search.js";
import * as translate from "./translate.js";
import * as violations from "./violations.js";
import * as why from "./why.js";

// Each view has show(place), which fills the page; views of one sentence have settings() and draw().
const VIEWS = { translate, why, search, forest, violations };

/** @returns {keyof typeof VIEWS} */
const wanted = () => (location.hash.slice(1) in VIEWS ? location.hash.slice(1) : "translate");

/** Fills the page with the view of the address. */
function show() {
  const name = wanted();
  const view = VIEWS[name];
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${name}`) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "nearest" }); // on a phone, not all fit
    } else link.removeAttribute("aria-current");
  }
  document.title = `${name.charAt(0).toUpperCase()}${name.slice(1)} – Demotic`;
  const place = byId("view");
  place.replaceChildren();
  const ofSentence = "draw" in view;
  byId("sentence-form").hidden = !ofSentence;
  if (!ofSentence) { view.show(place); return; }
  byId("sentence").value = state.sentence;
  byId("reference").value = state.reference;
  directFields();
  byId("reference").closest("label").hidden = view.usesReference === false;
  byId("reference-note").textContent = view.needsReference ? "(needed)" : "(if you know the translation)";
  byId("settings").replaceChildren(...view.settings());
  if (state.sentence) draw();
  else place.append(el("p", { className: "note" }, view.about));
}

/** Makes the fields fit for the languages of the model. */
function directFields() {
  writtenIn(byId("sentence"), model().source);
  writtenIn(byId("reference"), model().target);
}

/** Draws the view of the sentence in the form. */
async function draw() {
  const view = VIEWS[wanted()];
  state.sentence = byId("sentence").value.trim();
  state.reference = byId("reference").value.trim();
  if (!state.sentence) return;
  const place = byId("view");
  place.classList.add("busy");
  place.setAttribute("aria-busy", "true");
  try {
    await view.draw(place);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    place.replaceChildren(el("p", { className: "verdict", role: "alert" }, error.message));
  } finally {
    place.classList.remove("busy");
    place.removeAttribute("aria-busy");
  }
}

/** Asks the server for its models and limits, then shows the page. */
async function start() {
  try {
    const [models, settings] = await Promise.all([ask("/v1/models"), ask("/frontend/settings")]);
    state.models = models;
    state.limit = settings.charLimit;
    state.formats = settings.supportedFilesFormat;
    byId("key-form").hidden = !settings.keyRequired || Boolean(sessionStorage.getItem("demotic-key"));
  } catch (error) {
    say(error.message);
    return;
  }
  byId("pair").replaceChildren(...state.models.map((one, i) => el("option", { value: String(i) }, one.title)));
  byId("pair").value = String(state.chosen);
  show();
}

byId("pair").addEventListener("change", () => {
  state.chosen = Number(byId("pair").value);
  document.dispatchEvent(new CustomEvent("model", { detail: model() }));
  show();
});
byId("sentence-form").addEventListener("input", directFields);
byId("sentence-form").addEventListener("submit", (event) => { event.preventDefault(); draw(); });
window.addEventListener("hashchange", show);
askForKey(show);
start();
