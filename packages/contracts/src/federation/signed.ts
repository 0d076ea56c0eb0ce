/** What the edge passes on of a request whose signature may matter: the very bytes and headers, unparsed. */
import { z } from 'zod'
import { text } from '../kit/index.js'

/** The request as it came in. Read it with this schema in the handler: the edge does not check inputs of such operations. */
export const SignedRequest = z.looseObject({
  method: z.string().max(16),
  /** Path and query exactly as on the request line. */
  target: z.string().max(16_384),
  /** By lower-case name; repeated fields as the HTTP parser joined or listed them. */
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  ip: z.string().nullable().default(null),
  /** The body as UTF-8 text, or gzipped and in base64 when it is long. */
  body: z.string().optional(),
  gzip: z.string().optional(),
})
export type SignedRequest = z.infer<typeof SignedRequest>

/** The input of an operation that gets the whole request: path parameters by name, and `SignedRequest` beside them. */
export const signed = (...params: string[]) =>
  z.looseObject(Object.fromEntries(params.map((name) => [name, text(2_048).optional()])))

/** Documents have no body, but need the headers: this makes the edge pass the request on as it is. */
export const WITH_HEADERS = 1
