/** Errors of operations on pages below `/admin`: which errors a page shows, and with which text and status. */
import { Failure } from '@murmuration/contracts/kit'
import { currentRequest } from '@murmuration/kernel'
import { type Message, msg } from '@murmuration/messages'
import { failureMessage } from '../core/error-message.js'
import { t } from '../core/language.js'

/** Error codes whose message is shown on the page. A failure with another code gets an error page. */
const SHOWN = new Set(['unprocessable', 'conflict', 'invalid', 'forbidden', 'not_found'])

export const isRefusal = (error: unknown): error is Failure => error instanceof Failure && SHOWN.has(error.code)

/** HTTP status of the last error of an operation, by page request. */
const statuses = new WeakMap<object, number>()

/** HTTP status of the page that shows the error of an operation; undefined if no operation failed in this request. */
export const refusedStatus = (): number | undefined => {
  const request = currentRequest()
  return request && statuses.get(request)
}

/** Runs `work`. Returns null on success, else the error that the page shows. Stores the status of the error for the response. */
export const refusalOf = async (work: () => Promise<unknown>): Promise<Failure | null> => {
  try {
    await work()
    return null
  } catch (error) {
    if (!isRefusal(error)) throw error
    const request = currentRequest()
    if (request) statuses.set(request, error.status)
    return error
  }
}

/** Runs `work`. Returns null on success, else the error message in the language of the page. */
export const attempt = async (work: () => Promise<unknown>): Promise<string | null> => {
  const refusal = await refusalOf(work)
  return refusal === null ? null : failureMessage(refusal)
}

/** The result of a call; null if it failed with `not_found`. */
export const orNotFound = async <T>(response: Promise<T>): Promise<T | null> => {
  try {
    return await response
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return null
    throw error
  }
}

/** Headings of pages that show only an error message, by HTTP status. */
const TITLES: Readonly<Record<number, Message>> = {
  403: msg('Not allowed'),
  404: msg('Not found'),
  409: msg('It has changed meanwhile'),
}

export const refusalTitle = (status: number): string => t(TITLES[status] ?? msg('Not possible'))
