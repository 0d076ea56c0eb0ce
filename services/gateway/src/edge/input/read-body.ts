/** Reads the bytes of a request body. Bodies that are too large, too slow or compressed are refused. */
import type { IncomingMessage } from 'node:http'
import { fail } from '@murmuration/contracts/kit'

const tooLarge = () => fail('too_large', 'The request is too large')
const interrupted = () => fail('invalid', 'The request broke off')

/** Whether the headers of the request announce a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Throws if the body is compressed. Throws the error of `refusal` if `Content-Length` is above `max` bytes. */
export const checkBody = (req: IncomingMessage, max: number, refusal = tooLarge): void => {
  const encoding = req.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw fail('invalid', 'Compressed requests are not accepted', { status: 415 })
  if (Number(req.headers['content-length'] ?? 0) > max) throw refusal()
}

/** Reads a complete request body. Throws if the body is larger than `max` bytes, takes longer than `ms` milliseconds, or is interrupted. */
export const readBody = (req: IncomingMessage, max: number, ms: number): Promise<Buffer> => {
  checkBody(req, max)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = (done: () => void) => {
      clearTimeout(timer)
      req.off('data', take).off('end', end).off('close', cut)
      done()
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > max) stop(() => reject(tooLarge()))
      else chunks.push(chunk)
    }
    const end = () => stop(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    const cut = () => stop(() => reject(interrupted()))
    const timer = setTimeout(
      () =>
        stop(() =>
          reject(
            fail('timeout', 'The request took too long to arrive', { status: 408, headers: { Connection: 'close' } }),
          ),
        ),
      ms,
    )
    req.on('data', take).on('end', end).on('close', cut).on('error', cut)
    // The client may have disconnected before the listener for `close` was added.
    if (req.destroyed) cut()
  })
}
