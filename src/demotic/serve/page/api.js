// Requests to the server that this page comes from.

import { byId } from "./dom.js";

const KEY = "demotic-key";

/** An answer that is an error; its message is meant for people. */
export class Refused extends Error {}

/**
 * The answer to a request, read from JSON.
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(path, body, signal) {
  const sent = body ? { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } } : {};
  return (await answered(path, { ...sent, signal })).json();
}

/**
 * Translates a document.
 * @param {File} file
 * @param {{source: string, target: string}} pair
 * @returns {Promise<{blob: Blob, name: string}>}
 */
export async function sendFile(file, pair) {
  const query = new URLSearchParams({ name: file.name, ...pair });
  const answer = await answered(`/v1/file?${query}`, { method: "POST", body: file });
  const name = decodeURIComponent(answer.headers.get("Content-Disposition").split("''")[1]);
  return { blob: await answer.blob(), name };
}

/** Throws Refused for an error. @param {string} path @param {RequestInit} request @returns {Promise<Response>} */
async function answered(path, request) {
  const key = sessionStorage.getItem(KEY);
  const headers = { ...request.headers, ...(key ? { Authorization: `Bearer ${key}` } : {}) };
  let answer;
  try {
    answer = await fetch(path, { ...request, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server does not answer. Is it still running?");
  }
  if (answer.ok) return answer;
  if (answer.status === 403) byId("key-form").hidden = false;
  const { error } = await answer.json().catch(() => ({}));
  throw new Refused(sentence(error ?? `error ${answer.status}`));
}

/** @param {string} text */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Asks for the key of a server that needs one; `retry` is called when there is one. @param {() => void} retry */
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
  /** @type {AbortController|null} */
  #controller = null;

  /**
   * Whether the work was done rather than overtaken.
   * @param {(signal: AbortSignal) => Promise<void>} work
   * @returns {Promise<boolean>}
   */
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
