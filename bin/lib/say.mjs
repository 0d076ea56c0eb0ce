/** Messages on the terminal: progress with the time since the start, and reasons of failures. */
import { relative } from 'node:path'

const began = performance.now()

/** Prints one line to standard error with the seconds since the start. Standard output is for results only. */
export const say = (text) => console.error(`[${((performance.now() - began) / 1000).toFixed(1)} s] ${text}`)

/** Creates an expected failure. Its message is one sentence with a remedy, and is shown without a stack trace. */
export const refusal = (sentence, cause) => Object.assign(new Error(sentence, { cause }), { name: 'Refusal' })

/** Text of an error for the terminal: the message of an expected failure, else the stack trace. */
export const explain = (error) => (error?.name === 'Refusal' ? error.message : (error?.stack ?? String(error)))

/** Path for messages on the terminal: relative if it is below the current folder. */
export const shown = (path) => {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') ? path : short
}
