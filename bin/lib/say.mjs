/** Messages on the terminal: progress with the time since the start, and reasons of failures. */
import { relative } from 'node:path'

const began = performance.now()

/** Prints one line to standard error with the seconds since the start. Standard output is for results only. */
export const say = (text) => console.error(`[${((performance.now() - began) / 1000).toFixed(1)} s] ${text}`)

/** An expected failure. A refusal's message is one sentence with a remedy, and is shown without a stack. */
export const refusal = (sentence, cause) => Object.assign(new Error(sentence, { cause }), { name: 'Refusal' })

/** Text of an error: the message of a refusal, else the stack. */
export const explain = (error) => (error?.name === 'Refusal' ? error.message : (error?.stack ?? String(error)))

/** A path for messages: relative if it is below the current folder. */
export const shown = (path) => {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') ? path : short
}
