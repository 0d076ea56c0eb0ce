/** Runs an operation with input of a form. Errors that the user can correct are returned as text for the page. */
import { Failure } from '@murmuration/contracts/kit'
import { failureMessage } from './error-message.js'

const CORRECTABLE = new Set(['unprocessable', 'conflict', 'too_large'])

/** Runs `work`. Returns null on success, or the translated message of an error that the user can correct. Rethrows all other errors. */
export const attempt = async (work: () => Promise<unknown>): Promise<string | null> => {
  try {
    await work()
    return null
  } catch (error) {
    if (!(error instanceof Failure) || !CORRECTABLE.has(error.code)) throw error
    return failureMessage(error)
  }
}
