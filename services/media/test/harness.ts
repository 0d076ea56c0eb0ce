/** Harness: the service media with real stores, staged uploads as the gateway creates them, and a policy that tests set. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BlobStore, createBlobStore } from '@murmuration/blob'
import { connectBus, jetstreamManager, openPolicyBucket, type RpcResponse } from '@murmuration/bus'
import { openRedis } from '@murmuration/cache'
import { DomainChunk, type DomainRule, InstanceSettings } from '@murmuration/contracts/admin'
import { MediaAttachment } from '@murmuration/contracts/entities'
import type { AnyOperation, Operation, Viewer } from '@murmuration/contracts/kit'
import type { StagedFile } from '@murmuration/contracts/media'
import {
  type App,
  type BaseContext,
  blobOptionsOf,
  blobSettings,
  createSendRequest,
  derive,
  readConfig,
  service,
} from '@murmuration/kernel'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import type { z } from 'zod'
import type { Context } from '../src/context.js'
import { app } from '../src/main.js'

type InputOf<Op> = Op extends Operation<infer I, infer _O, infer _K> ? z.input<I> : never

/** A response as the gateway receives it. */
export interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every operation.
  body: any
  headers: Record<string, string>
}

export interface Harness {
  cluster: Cluster
  blobs: BlobStore
  /** Directory of the work directories. */
  temp: string
  /** Stages a file like the gateway. Its declared type is wrong on purpose, because media must ignore it. */
  stage(bytes: Buffer | Uint8Array): Promise<StagedFile>
  request<Op extends AnyOperation>(
    operation: Op,
    input: InputOf<Op>,
    as?: Viewer | null,
    more?: { key?: string; userAgent?: string; remainingMs?: number },
  ): Promise<Answered>
  /** Publishes rules for domains. Before the first call, no policy is known. */
  rule(...blocks: DomainRule[]): Promise<void>
  /** Publishes the allowed servers of limited federation, without rules. */
  allow(...domains: string[]): Promise<void>
  /** Key of the blob behind an address of this server. */
  keyOf(address: string): string
  /** The context of media, as its handlers receive it. */
  context(): Context
  /** Runs a tick of media now. */
  tick(name: string): Promise<void>
  /** Clears the cache of which row has a copy of which file, so that files are fetched again. */
  clearFound(): Promise<void>
  /** The bytes of the file at an address of this server. */
  read(address: string): Promise<Buffer>
  stop(): Promise<void>
}

export const alice = viewer('1')
export const bob = viewer('2')

/** Writes the policy like the service admin, without rules. */
const policyWriter = () => {
  let base: BaseContext | undefined
  const admin: App = {
    manifest: service('admin', {
      database: false,
      writesPolicy: true,
      roles: { api: { operations: true, scales: 'nothing', needs: ['nats'] } },
    }),
    createContext: (given) => {
      base = given as unknown as BaseContext
      return given
    },
  }
  let rev = 0
  const publish = async (blocks: readonly DomainRule[], allows: readonly string[]) => {
    if (!base) throw new Error('not started')
    const bucket = openPolicyBucket(base.nc, await jetstreamManager(base.nc, { checkAPI: false }), { replicas: 1 })
    const at = await bucket.position()
    const settings = InstanceSettings.parse({})
    const next = await bucket.write('domains.0', JSON.stringify(DomainChunk.parse({ blocks, allows })), at.sequence)
    await bucket.write('settings', JSON.stringify({ settings, chunks: 1, rev: String(++rev) }), next ?? 0)
  }
  return { admin, publish }
}

/** Starts media. `worker: false`: other processes run the jobs. */
export const startHarness = async (env: Record<string, string> = {}, { worker = true } = {}): Promise<Harness> => {
  const temp = await mkdtemp(join(tmpdir(), 'media-test-'))
  const { admin, publish } = policyWriter()
  let context: Context | undefined
  const { api } = app.manifest.roles
  const media: App<Context> = {
    manifest: worker || !api ? app.manifest : { ...app.manifest, roles: { api } },
    createContext: async (base) => {
      context = (await app.createContext(base)) as Context
      return context
    },
  }
  const cluster = await startCluster({ apps: [media, admin], env: { MEDIA_TEMP_DIR: temp, ...env } })
  const blobs = createBlobStore(blobOptionsOf(readConfig(blobSettings, cluster.env)))
  const operator = await connectBus({
    url: cluster.nats.url,
    service: 'operator',
    name: 'media test',
    password: derive({ secretKeyBase: cluster.env.SECRET_KEY_BASE ?? '' }, 'bus:operator'),
  })
  const sendRequest = createSendRequest(operator)
  const redis = await openRedis({ url: cluster.env.REDIS_URL ?? '', name: 'media-test', timeoutMs: 5_000 })
  const origin = `http://${cluster.env.LOCAL_DOMAIN}`
  const keyOf = (address: string) => {
    if (!address.startsWith(`${origin}/system/`)) throw new Error(`${address} is not among our files`)
    return address.slice(`${origin}/system/`.length)
  }
  let ruled: string[] = []
  const harness: Harness = {
    cluster,
    blobs,
    temp,
    async stage(bytes) {
      const key = `staging/${randomUUID()}`
      const { size } = await blobs.put(key, Buffer.from(bytes), { contentType: 'text/html', maxBytes: 200_000_000 })
      return { key, size, type: 'text/html', name: '../../-i |sh\u0000.svg' }
    },
    async request(operation, input, as = alice, more = {}) {
      const answer: RpcResponse = await sendRequest(operation, JSON.stringify(operation.input.parse(input)), {
        remainingMs: more.remainingMs ?? 60_000,
        caller: {
          viewer: as,
          app: as && { id: '1', tokenId: as.id, scopes: ['write'] },
          ip: '127.0.0.1',
          userAgent: more.userAgent ?? 'test',
        },
        requestId: randomUUID(),
        commandId: randomUUID(),
        idempotencyKey: more.key ?? null,
        locale: 'en',
        traceparent: '',
      })
      const text = new TextDecoder().decode(answer.bytes)
      return {
        status: answer.meta.status,
        body: operation.output.kind === 'json' || answer.meta.code ? JSON.parse(text) : text,
        headers: answer.meta.headers,
      }
    },
    async rule(...blocks) {
      await publish(blocks, [])
      const before = ruled
      ruled = blocks.map(({ domain }) => domain)
      // The service receives the policy over the bus.
      const { policy } = harness.context()
      const known = () =>
        policy.loaded() &&
        blocks.every((block) => JSON.stringify(policy.domainRule(block.domain)) === JSON.stringify(block)) &&
        before.every((domain) => ruled.includes(domain) || policy.domainRule(domain) === null)
      while (!known()) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    async allow(...domains) {
      await publish([], domains)
      const { policy } = harness.context()
      while (!domains.every((domain) => policy.allows(domain))) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    context() {
      if (!context) throw new Error('media has not started')
      return context
    },
    async tick(name) {
      const found = app.manifest.ticks.find((one) => one.name === name)
      if (!found) throw new Error(`media has no tick ${name}`)
      await found.run(harness.context())
    },
    keyOf,
    async clearFound() {
      await redis.run(async (client) => {
        const keys = await client.keys(`media:${cluster.env.WEB_DOMAIN ?? cluster.env.LOCAL_DOMAIN}:result:*`)
        if (keys.length > 0) await client.del(keys)
      })
    },
    async read(address) {
      const blob = await blobs.get(keyOf(address))
      if (!blob) throw new Error(`nothing is stored for ${address}`)
      return Buffer.concat(await Array.fromAsync(blob.body))
    },
    async stop() {
      await operator.close()
      await redis.close()
      await cluster.stop()
      await blobs.close()
      await rm(temp, { recursive: true, force: true })
      await rm(cluster.env.BLOB_DIR ?? temp, { recursive: true, force: true })
    },
  }
  return harness
}

/** Parses the body as a MediaAttachment. */
export const attachmentOf = (answered: Answered): MediaAttachment => MediaAttachment.parse(answered.body)
