// The fake S3 server with the client of Amazon.
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type S3Server, startS3Server } from './s3-server.js'

let server: S3Server
let client: S3Client
const connect = (accessKeyId: string) =>
  new S3Client({
    endpoint: server.endpoint,
    region: server.region,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: { accessKeyId, secretAccessKey: server.secretAccessKey },
  })

beforeAll(async () => {
  server = await startS3Server()
  client = connect(server.accessKeyId)
})
afterAll(() => server.close())

const object = (Key: string) => ({ Bucket: server.bucket, Key })

test('an object is stored with its type, read in part and as a whole, listed and removed', async () => {
  const Body = Buffer.from('0123456789')
  await client.send(
    new PutObjectCommand({ ...object('a/b.txt'), Body, ContentType: 'text/plain', CacheControl: 'max-age=1' }),
  )
  const head = await client.send(new HeadObjectCommand(object('a/b.txt')))
  expect(head).toMatchObject({ ContentLength: 10, ContentType: 'text/plain', CacheControl: 'max-age=1' })
  const part = await client.send(new GetObjectCommand({ ...object('a/b.txt'), Range: 'bytes=2-4' }))
  expect([part.ContentRange, await part.Body!.transformToString()]).toEqual(['bytes 2-4/10', '234'])
  const listed = await client.send(new ListObjectsV2Command({ Bucket: server.bucket, Prefix: 'a/' }))
  expect(listed.Contents?.map(({ Key }) => Key)).toEqual(['a/b.txt'])
  await client.send(new DeleteObjectCommand(object('a/b.txt')))
  await expect(client.send(new HeadObjectCommand(object('a/b.txt')))).rejects.toMatchObject({ name: 'NotFound' })
})

test('a stream of known length is stored', async () => {
  const Body = Readable.from([Buffer.alloc(70_000, 'a'), Buffer.alloc(30_000, 'b')])
  await client.send(new PutObjectCommand({ ...object('large'), Body, ContentLength: 100_000 }))
  expect((await client.send(new HeadObjectCommand(object('large')))).ContentLength).toBe(100_000)
})

test('an unknown key id is refused', async () => {
  const unknown = connect('UNKNOWN')
  await expect(unknown.send(new HeadObjectCommand(object('large')))).rejects.toMatchObject({
    $metadata: { httpStatusCode: 403 },
  })
})
