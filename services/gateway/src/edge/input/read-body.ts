/** The bytes of a body: counted, timed, and refused early when they are too many, too slow or packed. */
import type { IncomingMessage } from 'node:http'
import { fail } from '@murmuration/contracts/kit'

const tooLarge = () => fail('too_large', 'The request is too large')
const brokenOff = () => fail('invalid', 'The request broke off')

/** True when a body follows the headers. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Refuses what can be judged by the headers alone. */
export const checkBody = (req: IncomingMessage, max: number): void => {
  const packed = req.headers['content-encoding']
  if (packed !== undefined && packed.toLowerCase() !== 'identity')
    throw fail('invalid', 'Compressed requests are not accepted', { status: 415 })
  if (Number(req.headers['content-length'] ?? 0) > max) throw tooLarge()
}

/** The whole body, up to `max` bytes and `ms` milliseconds. */
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
    const cut = () => stop(() => reject(brokenOff()))
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
  })
}
