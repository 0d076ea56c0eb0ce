/** Doing something that a person may have got wrong: what they can mend is said on the page, everything else is a page of its own. */
import { Failure } from '@murmuration/contracts/kit'
import { sayProblem } from './problem-words.js'

const MENDABLE = new Set(['unprocessable', 'conflict', 'too_large'])

/** Null when it worked; otherwise what to tell. */
export const attempt = async (what: () => Promise<unknown>): Promise<string | null> => {
  try {
    await what()
    return null
  } catch (error) {
    if (!(error instanceof Failure) || !MENDABLE.has(error.code)) throw error
    return sayProblem(error.message.replace(/^Validation failed: /, ''))
  }
}
