/** Refusals of operations on the pages below `/admin`: which are shown, in which words, and with which status. */
import { Failure } from '@murmuration/contracts/kit'
import { currentRequest } from '@murmuration/kernel'
import { type Message, msg } from '@murmuration/messages'
import { t } from '../core/language.js'
import { sayProblem } from '../core/problem-words.js'

/** Refusals that staff can understand and correct. Everything else is a page of its own. */
const SHOWN = new Set(['unprocessable', 'conflict', 'invalid', 'forbidden', 'not_found'])

export const isRefusal = (error: unknown): error is Failure => error instanceof Failure && SHOWN.has(error.code)

/** Status of the last refusal of each request. */
const statuses = new WeakMap<object, number>()

/** Status of the response that shows a refusal of this request; undefined if no operation refused. */
export const refusedStatus = (): number | undefined => {
  const request = currentRequest()
  return request && statuses.get(request)
}

export const wordsOf = ({ message }: Failure): string => message.replace(/^Validation failed: /, '')

/** Null if it worked, otherwise the refusal in the words of the API. The page that shows it gets its status. */
export const refusalOf = async (what: () => Promise<unknown>): Promise<string | null> => {
  try {
    await what()
    return null
  } catch (error) {
    if (!isRefusal(error)) throw error
    const request = currentRequest()
    if (request) statuses.set(request, error.status)
    return wordsOf(error)
  }
}

/** Null if it worked, otherwise the reason in the language of the page. */
export const attempt = async (what: () => Promise<unknown>): Promise<string | null> => {
  const refusal = await refusalOf(what)
  return refusal === null ? null : sayProblem(refusal)
}

/** Null if there is nothing with the id or name. */
export const foundOf = async <T>(asked: Promise<T>): Promise<T | null> => {
  try {
    return await asked
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
