/** Texts of errors in the language of the page. */
import { type ErrorText, type Failure, problemsOf } from '@murmuration/contracts/kit'
import { currentRequest } from '@murmuration/kernel'
import { translateError } from '@murmuration/messages'

/** An error text; as a string, an English one that a service stored or sent as a field of a response. */
export const errorMessage = (text: ErrorText | string): string =>
  translateError(currentRequest()?.locale, typeof text === 'string' ? { message: text, args: {} } : text)

/** The text of a failure; of a validation error only its problems. */
export const failureMessage = (failure: Failure): string => problemsOf(failure).map(errorMessage).join(', ')
