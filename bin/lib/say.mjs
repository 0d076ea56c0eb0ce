/** Lines for the person at the terminal: what happens, how long after the start, and why something was refused. */
import { relative } from 'node:path'

const began = performance.now()

/** Prints one line on standard error with the seconds since the start; standard output stays free for results. */
export const say = (text) => console.error(`[${((performance.now() - began) / 1000).toFixed(1)} s] ${text}`)

/** An expected failure: its message is one sentence that tells the reader what to do, and is shown without a stack. */
export const refusal = (sentence, cause) => Object.assign(new Error(sentence, { cause }), { name: 'Refusal' })

/** What to print about an error: the sentence of a refusal, the stack of a defect. */
export const explain = (error) => (error?.name === 'Refusal' ? error.message : (error?.stack ?? String(error)))

/** A path as a person wants to read it: short when it lies below the current folder. */
export const shown = (path) => {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') ? path : short
}
