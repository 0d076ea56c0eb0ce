/** A fake S3 server with objects in a temporary folder, for tests of the blob store. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface S3Server {
  /** Value for `S3_ENDPOINT`. Buckets are in the path of URLs. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  close(): Promise<void>
}

/** The part of the API of `s3rver` that is used here, because the package has no types. */
type S3rver = new (options: {
  address: string
  port: number
  silent: boolean
  directory: string
  vhostBuckets: boolean
  configureBuckets: { name: string }[]
}) => { run(): Promise<AddressInfo>; close(): Promise<void>; httpServer: Server }

/**
 * Starts the server with one empty bucket. The server refuses access key ids other than its own. It does not verify
 * version 4 signatures, so a wrong secret is not detected.
 *
 * @throws Error when the package `s3rver`, a development dependency of the blob package, is not installed
 */
export const startS3Server = async ({ bucket = 'media', host = '127.0.0.1', port = 0 } = {}): Promise<S3Server> => {
  const Server = createRequire(import.meta.url)('s3rver') as S3rver
  const directory = await mkdtemp(join(tmpdir(), 'murmuration-s3-'))
  const server = new Server({
    address: host,
    port,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  })
  const address = await server.run()
  return {
    endpoint: `http://${host}:${address.port}`,
    bucket,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    close: async () => {
      server.httpServer.closeAllConnections()
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
}
