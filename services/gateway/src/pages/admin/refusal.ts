/** Refusals of operations on pages below `/admin`: which ones are shown on the page, their text and their status. */
import { Failure } from '@murmuration/contracts/kit'
import { currentRequest } from '@murmuration/kernel'
import { type Message, msg } from '@murmuration/messages'
import { failureMessage } from '../core/error-message.js'
import { t } from '../core/language.js'

/** Codes of refusals that are shown on the page. A failure with another code gets an error page. */
const SHOWN = new Set(['unprocessable', 'conflict', 'invalid', 'forbidden', 'not_found'])

export const isRefusal = (error: unknown): error is Failure => error instanceof Failure && SHOWN.has(error.code)

/** Status of the last refusal of each request. */
const statuses = new WeakMap<object, number>()

/** Status of the response that shows a refusal of this request; undefined if no operation refused. */
export const refusedStatus = (): number | undefined => {
  const request = currentRequest()
  return request && statuses.get(request)
}

/** Null on success, else the refusal. Stores the status for the page that shows the refusal. */
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

/** Null on success, else the error message in the language of the page. */
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

/** Headings of pages that only show a refusal. */
const TITLES: Readonly<Record<number, Message>> = {
  403: msg('Not allowed'),
  404: msg('Not found'),
  409: msg('It has changed meanwhile'),
}

export const refusalTitle = (status: number): string => t(TITLES[status] ?? msg('Not possible'))
