// The first view: source and target side by side, with word links and alternatives.

import { ask, Latest, Refused, sendFile } from "./api.js";
import { direction, el, say, writtenIn } from "./dom.js";
import { model, pair, state } from "./state.js";

const WAIT = 250; // milliseconds after the last key before the text is translated
const UNSURE = 0.5; // words with a lower confidence are underlined
const OTHERS = 6; // alternatives asked for

const latest = new Latest();
/** @typedef {[number, number]} Span half open */

/**
 * What the page reads of an answer of /v1/translate.
 * @typedef {object} Found
 * @property {string[]} text characters of the source, added by the page
 * @property {string} translation
 * @property {(Span|null)[]} source_places characters of each source token
 * @property {(Span|null)[]} target_places
 * @property {Span[]} alignment source and target token of each link
 * @property {{kind: string, target: Span}[]} phrases
 * @property {{target: Span}[]} terms
 * @property {number[]|null} confidences
 * @property {{source: Span, target: Span, target_tokens: Span, score: number, alternatives: {text: string, score: number}[]}[]} sentences
 */

/** @type {Record<string, any>} */
let parts = {}; // elements of the view by name
/** @type {Found|null} */
let found = null; // the latest answer
let timer = 0;

/** @param {HTMLElement} place */
export function show(place) {
  const { target, title } = model();
  const [from, to] = title.split(" → ");
  parts = {
    text: el("textarea", { value: state.text, spellcheck: false, placeholder: "Type or paste text, or drop a file here",
      "aria-label": `Text in ${from}`, rows: 1 }),
    file: el("input", { type: "file", hidden: true, "aria-hidden": "true" }),
    open: el("button", { className: "quiet", type: "button", title: "Translate a text file or a document" }, "Open file"),
    behind: el("div", { className: "behind", "aria-hidden": "true" }),
    out: el("div", { className: "reading", lang: target, dir: direction(target), tabIndex: 0, role: "group",
      "aria-label": `Translation into ${to}` }),
    count: el("span", {}), note: el("span", { "aria-live": "polite" }),
    others: el("div", { className: "others", hidden: true }),
    copy: el("button", { className: "quiet", type: "button" }, "Copy"),
    clear: el("button", { className: "quiet", type: "button" }, "Clear"),
  };
  place.append(
    el("div", { className: "panes" },
      el("section", { className: "pane card" },
        el("div", { className: "pane-head" }, from, el("span", {}, parts.file, parts.open, parts.clear)),
        el("div", { className: "writing" }, parts.behind, parts.text),
        el("div", { className: "pane-foot" }, parts.count)),
      el("section", { className: "pane card" },
        el("div", { className: "pane-head" }, to, parts.copy),
        parts.out, parts.others,
        el("div", { className: "pane-foot" }, parts.note))),
    el("p", { className: "legend" },
      el("span", {}, "Point at a word, or move the cursor, to see the words it comes from."),
      el("span", {}, "Click a sentence for other translations."),
      el("span", {}, el("span", { className: "token copied" }, "word"), " not known, copied"),
      el("span", {}, el("span", { className: "token unsure" }, "word"), " probably wrong"),
      el("span", {}, el("span", { className: "token term" }, "word"), " a term of the glossary")));
  listen(place);
  edited(0);
  if (matchMedia("(min-width: 761px)").matches) parts.text.focus();
}

/** @param {HTMLElement} place */
function listen(place) {
  const { text, out } = parts;
  text.addEventListener("input", () => edited(WAIT));
  text.addEventListener("blur", () => light([], []));
  for (const event of ["keyup", "click"]) text.addEventListener(event, followCursor);
  out.addEventListener("mouseover", (event) => followToken(event.target));
  out.addEventListener("mouseleave", () => light([], []));
  out.addEventListener("focusin", (event) => followToken(event.target));
  out.addEventListener("click", (event) => choose(event.target.closest(".sentence")));
  out.addEventListener("keydown", walk);
  parts.copy.addEventListener("click", copy);
  parts.clear.addEventListener("click", () => { text.value = ""; edited(0); text.focus(); });
  parts.open.addEventListener("click", () => parts.file.click());
  parts.file.addEventListener("change", () => { open(parts.file.files[0]); parts.file.value = ""; });
  place.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  place.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  place.addEventListener("drop", drop);
}

/** Translates the text after some milliseconds without a change. @param {number} wait */
function edited(wait) {
  const { text, behind, count, clear, out } = parts;
  state.text = text.value;
  writtenIn(text, model().source);
  behind.textContent = `${text.value}\n`;
  const length = [...text.value].length;
  count.textContent = length > state.limit * 0.8 ? `${length} of ${state.limit} characters` : "";
  clear.hidden = !text.value;
  out.classList.add("stale");
  clearTimeout(timer);
  timer = setTimeout(translate, wait);
}

/** Asks for the translation of the text, and shows it. */
async function translate() {
  const { out, note } = parts;
  const text = state.text;
  if (!text.trim()) { found = null; render(); return; }
  const began = performance.now();
  try {
    const done = await latest.run(async (signal) => {
      found = await ask("/v1/translate", { text, ...pair() }, signal);
      found.text = [...text];
    });
    if (!done) return;
    render();
    const sentences = found.sentences.length;
    note.textContent = `${sentences} ${sentences === 1 ? "sentence" : "sentences"}, ${Math.round(performance.now() - began)} ms`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    out.classList.remove("stale");
    note.textContent = error.message;
  }
}

/** Shows the latest answer: its words with links, marks and sentences. */
function render() {
  const { out, others, copy: button, note } = parts;
  out.classList.remove("stale");
  out.classList.toggle("empty", !found);
  others.hidden = true;
  button.hidden = !found;
  if (!found) { out.replaceChildren(); note.textContent = ""; return; }
  if (found.sentences.length) {
    const [begin, end] = found.sentences[0].source;
    state.sentence = found.text.slice(begin, end).join("");
  }
  const copied = new Set(found.phrases.filter((one) => one.kind === "copied").flatMap((one) => range(...one.target)));
  const terms = new Set(found.terms.flatMap((one) => range(...one.target)));
  const chars = [...found.translation];
  const nodes = [];
  let at = 0;
  found.sentences.forEach((sentence, number) => {
    nodes.push(chars.slice(at, sentence.target[0]).join(""));
    const span = el("span", { className: "sentence" });
    span.dataset.sentence = String(number);
    at = sentence.target[0];
    for (const i of range(...sentence.target_tokens)) {
      const place = found.target_places[i];
      if (!place || place[0] < at) continue;
      const token = el("span", { className: "token", tabIndex: -1 }, chars.slice(...place).join(""));
      token.dataset.token = String(i);
      if (terms.has(i)) token.classList.add("term");
      if (copied.has(i)) { token.classList.add("copied"); token.title = "not known to the model, copied"; }
      else if (found.confidences && found.confidences[i] < UNSURE) {
        token.classList.add("unsure");
        token.title = `${Math.round(100 * found.confidences[i])} % likely to be correct`;
      }
      span.append(chars.slice(at, place[0]).join(""), token);
      at = place[1];
    }
    span.append(chars.slice(at, sentence.target[1]).join(""));
    at = sentence.target[1];
    nodes.push(span);
  });
  out.replaceChildren(...nodes, chars.slice(at).join(""));
}

/** @param {number} begin @param {number} end */
const range = (begin, end) => Array.from({ length: end - begin }, (_, i) => begin + i);

/** Marks source tokens behind the text area, and target tokens. @param {number[]} sources @param {number[]} targets */
function light(sources, targets) {
  const { behind, out, text } = parts;
  for (const one of out.querySelectorAll(".token")) one.classList.toggle("linked", targets.includes(Number(one.dataset.token)));
  const chars = [...text.value];
  const nodes = [];
  let at = 0;
  for (const i of sources) {
    const place = found?.source_places[i];
    if (!place || place[0] < at) continue;
    nodes.push(chars.slice(at, place[0]).join(""), el("mark", {}, chars.slice(...place).join("")));
    at = place[1];
  }
  behind.replaceChildren(...nodes, `${chars.slice(at).join("")}\n`);
}

/** Marks a word and those it comes from. @param {any} target of an event */
function followToken(target) {
  const token = target.closest?.(".token");
  if (!token || !found || parts.out.classList.contains("stale")) { light([], []); return; }
  const i = Number(token.dataset.token);
  light(found.alignment.filter(([, j]) => j === i).map(([source]) => source).sort((a, b) => a - b), [i]);
}

/** Marks the word at the cursor and its translation. */
function followCursor() {
  if (!found || parts.out.classList.contains("stale")) return;
  const at = [...parts.text.value.slice(0, parts.text.selectionStart)].length;
  const i = found.source_places.findIndex((place) => place && place[0] <= at && at <= place[1]);
  light(i < 0 ? [] : [i], found.alignment.filter(([source]) => source === i).map(([, j]) => j));
}

/** Arrow keys move from word to word, Enter asks for other translations. @param {KeyboardEvent} event */
function walk(event) {
  const tokens = [...parts.out.querySelectorAll(".token")];
  const at = tokens.indexOf(document.activeElement);
  const forward = direction(model().target) === "ltr" ? "ArrowRight" : "ArrowLeft";
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    tokens[Math.min(tokens.length - 1, Math.max(0, at + (event.key === forward ? 1 : -1)))]?.focus();
  } else if (event.key === "Enter") {
    choose(document.activeElement.closest(".sentence") ?? parts.out.querySelector(".sentence"));
  } else return;
  event.preventDefault();
}

/** Lists other translations of a sentence. @param {HTMLElement|null} chosen */
async function choose(chosen) {
  if (!chosen || !found || !getSelection().isCollapsed) return;
  const sentence = found.sentences[Number(chosen.dataset.sentence)];
  for (const one of parts.out.querySelectorAll(".sentence")) one.classList.toggle("chosen", one === chosen);
  state.sentence = found.text.slice(...sentence.source).join("");
  let answer;
  try {
    answer = await ask("/v1/translate", { text: state.sentence, ...pair(), alternatives: OTHERS });
  } catch (error) {
    say(error.message);
    return;
  }
  const best = answer.sentences[0];
  if (!best) return;
  const all = [{ text: answer.translation, score: best.score }, ...best.alternatives];
  /** @param {Event} event */
  const use = (event) => {
    const button = event.currentTarget;
    chosen.textContent = button.dataset.text;
    for (const one of parts.others.querySelectorAll(".other")) one.setAttribute("aria-pressed", String(one === button));
  };
  const list = el("ul", {}, ...all.map((one) => {
    const behind = best.score - one.score;
    const button = el("button", { className: "other", type: "button", lang: model().target, dir: "auto",
      onclick: use, "aria-pressed": String(one.text === chosen.textContent) }, one.text);
    button.dataset.text = one.text;
    if (behind > 0) button.append(el("span", { className: "behind-by", title: "points behind the best" }, ` −${behind.toFixed(2)}`));
    return el("li", {}, button);
  }));
  parts.others.replaceChildren(
    el("h2", {}, "Translations of this sentence"), list,
    el("div", { className: "tools" },
      el("a", { href: "#why" }, "Why this one?"), el("a", { href: "#search" }, "Show the search"), el("a", { href: "#forest" }, "Show the forest")));
  parts.others.hidden = false;
}

/** Copies the translation, or marks it where the browser does not allow that. */
async function copy() {
  try {
    await navigator.clipboard.writeText(parts.out.textContent);
    parts.copy.textContent = "Copied";
    setTimeout(() => { parts.copy.textContent = "Copy"; }, 1500);
  } catch {
    getSelection().selectAllChildren(parts.out);
    say("Press Ctrl-C to copy the marked text.");
  }
}

/** @param {DragEvent} event */
async function drop(event) {
  event.preventDefault();
  document.body.classList.remove("dropping");
  await open(event.dataTransfer.files[0]);
}

/** Translates a document, or puts a text into the field. @param {File|undefined} file */
async function open(file) {
  if (!file) return;
  if (state.formats.some((suffix) => file.name.toLowerCase().endsWith(suffix))) { await translateFile(file); return; }
  if (file.size > 4 * state.limit) { say(`${file.name} is too large for the page; use demotic translate.`); return; }
  const text = await file.text();
  if (text.includes("\0")) { say(`${file.name} is not a text file.`); return; }
  parts.text.value = text;
  edited(0);
}

/** Sends a document and offers its translation as a download. @param {File} file */
async function translateFile(file) {
  parts.note.textContent = `Translating ${file.name} …`;
  try {
    const { blob, name } = await sendFile(file, pair());
    const link = el("a", { href: URL.createObjectURL(blob), download: name }, name);
    parts.note.replaceChildren("Save ", link);
    link.focus();
  } catch (error) {
    parts.note.textContent = "";
    say(error.message);
  }
}
