/** The signed bytes and headers of a request, which the edge passes on unparsed. */
import { z } from 'zod'
import { job, text } from '../kit/index.js'

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

export const meetReaderJob = job('federation.meet-reader', {
  data: z.object({
    keyId: z.string().max(2_048),
    /** Key type that the signature names; null when the key decides. */
    keyType: z.enum(['rsa', 'ed25519']).nullable(),
    /** The texts that may have been signed. */
    bases: z.array(z.string()).max(2),
    /** In base64. */
    signature: z.string(),
    /** Ids of the statuses that were read. */
    statuses: z.array(z.string()).max(100),
  }),
  about: 'Notes who read statuses of ours as their reader, when a key that is not known here yet signed the request.',
  retry: { delays: [15, 300], times: 3 },
  timeoutMs: 60_000,
  concurrency: 2,
})
