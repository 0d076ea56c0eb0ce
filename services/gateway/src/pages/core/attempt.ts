/** Runs an operation with input of a form. Errors that the user can correct are returned as text for the page. */
import { Failure } from '@murmuration/contracts/kit'
import { failureMessage } from './error-message.js'

const CORRECTABLE = new Set(['unprocessable', 'conflict', 'too_large'])

/** Null on success; the translated message for errors that the user can correct. Rethrows all other errors. */
export const attempt = async (work: () => Promise<unknown>): Promise<string | null> => {
  try {
    await work()
    return null
  } catch (error) {
    if (!(error instanceof Failure) || !CORRECTABLE.has(error.code)) throw error
    return failureMessage(error)
  }
}
