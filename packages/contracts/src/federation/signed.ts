/** Signed requests, whose bytes and headers the gateway passes on unparsed. */
import { z } from 'zod'
import { job, text } from '../kit/index.js'

/**
 * A request whose signature a service verifies. The handler parses its input with this schema, because the gateway does
 * not check the input of such operations.
 */
export const SignedRequest = z.looseObject({
  method: z.string().max(16),
  /** Path and query of the request, exactly as on the request line. */
  target: z.string().max(16_384),
  /** Header fields of the request by lower-case name. Repeated fields are joined or listed as Node's HTTP parser does. */
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  ip: z.string().nullable().default(null),
  /** Body of the request as UTF-8 text. A long body is in `gzip` instead, compressed and in base64. */
  body: z.string().optional(),
  gzip: z.string().optional(),
})
export type SignedRequest = z.infer<typeof SignedRequest>

/** Input of an operation that gets the whole request: path parameters by name, in addition to `SignedRequest`. */
export const signed = (...params: string[]) =>
  z.looseObject(Object.fromEntries(params.map((name) => [name, text(2_048).optional()])))

/**
 * Value of `rawBody` for operations that serve documents: a body of at most one byte. For operations with `rawBody`,
 * the gateway also passes on the headers of the request.
 */
export const WITH_HEADERS = 1

export const verifyReaderJob = job('federation.meet-reader', {
  data: z.object({
    keyId: z.string().max(2_048),
    /** Key type that the signature states; null if the type of the stored key applies. */
    keyType: z.enum(['rsa', 'ed25519']).nullable(),
    /** Texts that the signature may sign. The signature must match one of them. */
    bases: z.array(z.string()).max(2),
    /** Signature in base64. */
    signature: z.string(),
    /** Ids of the requested statuses. */
    statuses: z.array(z.string()).max(100),
  }),
  about: 'Records a server as reader of local statuses, after its key, which was unknown at the request, is verified.',
  retry: { delays: [15, 300], times: 3 },
  timeoutMs: 60_000,
  concurrency: 2,
})
