// Small helpers for building the page.

/**
 * An element with properties, attributes (names with a hyphen) and children.
 * @param {string} name
 * @param {Record<string, unknown>} [properties]
 * @param {...(Node|string)} children
 * @returns {any} the element, with the properties of its kind
 */
export function el(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, String(value));
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

/**
 * A drawing made by the server. Its style attributes are set here, because the security policy
 * forbids them in markup.
 * @param {string} html
 * @param {string} [name] class of the element around it
 * @returns {HTMLElement}
 */
export function drawing(html, name = "") {
  const made = el("div", { className: name });
  made.innerHTML = html;
  for (const one of made.querySelectorAll("[data-style]")) {
    one.style.cssText = one.dataset.style;
    delete one.dataset.style;
  }
  return made;
}

/** An element of index.html. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

let hiding = 0;

/** Shows a remark at the bottom of the page for some seconds. @param {string} text */
export function say(text) {
  const place = byId("message");
  place.textContent = text;
  place.hidden = !text;
  clearTimeout(hiding);
  hiding = setTimeout(() => { place.hidden = true; }, 6000);
}

const RIGHT_TO_LEFT = new Set(["ar", "dv", "fa", "he", "ks", "ku", "ps", "sd", "ug", "ur", "yi"]);

/** The direction in which a language is written. @param {string} language @returns {"ltr"|"rtl"} */
export const direction = (language) => (RIGHT_TO_LEFT.has(language.split("-")[0]) ? "rtl" : "ltr");

/**
 * Makes a field fit for a language; text in it decides its direction itself.
 * @param {HTMLInputElement|HTMLTextAreaElement} field
 * @param {string} language
 */
export function writtenIn(field, language) {
  field.lang = language;
  field.dir = field.value ? "auto" : direction(language);
}
