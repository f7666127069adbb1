// Requests to the server that this page comes from.

import { byId } from "./dom.js";

const KEY = "demotic-key";

/** An answer that is an error; its message is meant for people. */
export class Refused extends Error {}

/** @param {string} path @param {object} [body] @param {AbortSignal} [signal] */
export async function ask(path, body, signal) {
  const headers = {};
  const key = sessionStorage.getItem(KEY);
  if (key) headers.Authorization = `Bearer ${key}`;
  if (body) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method: body ? "POST" : "GET", headers, signal, body: body && JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server does not answer. Is it still running?");
  }
  const values = await answer.json().catch(() => ({}));
  if (answer.status === 403) byId("key-form").hidden = false;
  if (!answer.ok) throw new Refused(sentence(values.error ?? `error ${answer.status}`));
  return values;
}

/** @param {string} text */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Asks for the key of a server that needs one; `retry` is called when there is one. */
export function askForKey(retry) {
  byId("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem(KEY, byId("key").value);
    byId("key-form").hidden = true;
    retry();
  });
}

/**
 * Runs the newest of several requests: one that has been overtaken is aborted, which also stops
 * its search on the server.
 */
export class Latest {
  #controller = null;

  /** @param {(signal: AbortSignal) => Promise<void>} work */
  async run(work) {
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    try {
      await work(controller.signal);
      return true;
    } catch (error) {
      if (error.name === "AbortError") return false;
      throw error;
    }
  }
}
