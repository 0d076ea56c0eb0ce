/** Translates the texts of errors to the language of the page. */
import { type ErrorText, type Failure, problemsOf } from '@murmuration/contracts/kit'
import { currentRequest } from '@murmuration/kernel'
import { translateError } from '@murmuration/messages'

/** Translates an error text. A string is an English text that a service stored, or that a response contained. */
export const errorMessage = (text: ErrorText | string): string =>
  translateError(currentRequest()?.locale, typeof text === 'string' ? { message: text, args: {} } : text)

/** Returns the translated text of a failure. For a validation error, only the problems that it lists. */
export const failureMessage = (failure: Failure): string => problemsOf(failure).map(errorMessage).join(', ')
