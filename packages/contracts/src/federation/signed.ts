/** Signed requests, whose bytes and headers the gateway passes on unparsed. */
import { z } from 'zod'
import { job, text } from '../kit/index.js'

/** A request as received. The handler parses its input with this schema, because the gateway does not check inputs of such operations. */
export const SignedRequest = z.looseObject({
  method: z.string().max(16),
  /** Path and query exactly as on the request line. */
  target: z.string().max(16_384),
  /** Header fields by lower-case name. Repeated fields are joined or listed as by Node's HTTP parser. */
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  ip: z.string().nullable().default(null),
  /** Body as UTF-8 text. A long body is in `gzip` instead, compressed and in base64. */
  body: z.string().optional(),
  gzip: z.string().optional(),
})
export type SignedRequest = z.infer<typeof SignedRequest>

/** Input of an operation that gets the whole request: path parameters by name, in addition to `SignedRequest`. */
export const signed = (...params: string[]) =>
  z.looseObject(Object.fromEntries(params.map((name) => [name, text(2_048).optional()])))

/** Body limit in bytes of operations that serve documents. With a limit, the gateway passes the headers on, too. */
export const WITH_HEADERS = 1

export const verifyReaderJob = job('federation.meet-reader', {
  data: z.object({
    keyId: z.string().max(2_048),
    /** Key type stated by the signature; null when the key decides. */
    keyType: z.enum(['rsa', 'ed25519']).nullable(),
    /** Signature bases, one of which must match the signature. */
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
