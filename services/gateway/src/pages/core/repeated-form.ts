/**
 * Carries out a posted form once. The same form sent again, such as by a double click or by a reload, gets the response of the
 * first one for a minute. Forms are the same if id, address and content are equal. `edge/call/idempotency.ts` lists the faults after which
 * a form is carried out again.
 */
import { hash } from 'node:crypto'
import type { Response } from 'express'
import type { IdempotencyStore } from '../../edge/call/idempotency.js'
import type { StagedFile } from '../../edge/input/multipart.js'
import { FORM_ID } from './csrf.js'
import { type PageRequest, wantsJson } from './page-request.js'

/** A response to a form, as it was sent. */
interface Sent {
  readonly status: number
  readonly headers: readonly (readonly [string, string | string[]])[]
  /** Body of the response in base64. */
  readonly body: string
}

/**
 * Milliseconds for which the response to a form is kept. The time is short, because users may send a form again from
 * the browser's history.
 */
const KEPT_MS = 60_000
/** Matches the id of a form. */
const ID = /^[\w-]{8,64}$/
/** Headers that differ for each response. They are not stored. */
const OWN = new Set(['x-request-id', 'date', 'connection', 'keep-alive'])

/**
 * Observes a response. The returned function returns the sent response. It returns null before the response is sent,
 * and if it was sent in parts.
 */
const watch = (res: Response): (() => Sent | null) => {
  let sent: Sent | null = null
  const end = res.end
  res.end = ((...given: unknown[]) => {
    const [body] = given
    const isWhole = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    if (isWhole && !res.headersSent)
      sent = {
        status: res.statusCode,
        headers: Object.entries(res.getHeaders()).flatMap(([name, value]) =>
          value === undefined || OWN.has(name) ? [] : [[name, Array.isArray(value) ? value : String(value)] as const],
        ),
        body: body === undefined ? '' : Buffer.from(body).toString('base64'),
      }
    return (end as (...all: unknown[]) => Response).apply(res, given)
  }) as typeof res.end
  return () => sent
}

const sendAgain = (res: Response, { status, headers, body }: Sent): void => {
  res.statusCode = status
  for (const [name, value] of headers) res.setHeader(name, value)
  res.end(Buffer.from(body, 'base64'))
}

/** Digest of the address and the content of a form. Uploaded files count by name, type and size. */
const digestOf = (
  address: string,
  form: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, StagedFile>>,
): string => {
  const uploaded = new Set<unknown>(Object.values(files))
  const content = JSON.stringify([address, form, files], (_, value: unknown) =>
    uploaded.has(value) ? [(value as StagedFile).name, (value as StagedFile).type, (value as StagedFile).size] : value,
  )
  return hash('sha256', content, 'base64url')
}

/**
 * Runs the handler of a form, or sends the stored response if the same form was sent before. Forms without an id are
 * always carried out. Forms that scripts send are also always carried out, because a script may repeat a form on
 * purpose.
 */
export const carryOutOnce = async (
  idempotency: IdempotencyStore,
  { req, res }: Pick<PageRequest, 'req' | 'res'>,
  {
    account,
    form,
    files = {},
  }: { account: string; form: Readonly<Record<string, unknown>>; files?: Readonly<Record<string, StagedFile>> },
  page: () => Promise<void> | void,
): Promise<void> => {
  const id = form[FORM_ID]
  if (typeof id !== 'string' || !ID.test(id) || wantsJson(req)) return page()
  const sentBy = watch(res)
  let isFirst = false
  const work = async (): Promise<Sent | null> => {
    isFirst = true
    await page()
    return sentBy()
  }
  // The response to a refused form is not stored: the form was not carried out, so it may be sent again.
  const keepMs = (sent: Sent | null): number => (sent !== null && sent.status < 400 ? KEPT_MS : 0)
  const sent = await idempotency.run(`form ${account} ${digestOf(req.originalUrl, form, files)}`, work, keepMs)
  if (isFirst) return
  return sent === null ? page() : sendAgain(res, sent)
}
