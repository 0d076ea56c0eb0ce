/** The instance policy in memory: settings and domain rules, watched in the NATS key-value bucket. */
import { jetstreamManager, type NatsConnection, POLICY_BUCKET } from '@murmuration/bus'
import { AccessChunk, DomainChunk, type DomainRule, InstanceSettings, PolicyHead } from '@murmuration/contracts/admin'
import { fail } from '@murmuration/contracts/kit'
import { Kvm } from '@nats-io/kv'
import { type AccessRules, accessRulesOf } from './access-rules.js'
import type { Log } from './log.js'

export interface Policy {
  /** False until the bucket was read for the first time. Until then, callers must refuse what the policy could forbid (`requireLoaded`). */
  loaded(): boolean
  settings(): InstanceSettings
  /** Rule for a host: that of its own domain, else that of the nearest parent domain with a rule; null without one. */
  domainRule(host: string): DomainRule | null
  /** True when the host is on the allow list (limited federation). */
  allows(host: string): boolean
  /** False while the allow list is empty, so that limited federation allows no server. */
  allowsAnybody(): boolean
  /** Access rules of staff. */
  access(): AccessRules
  onChange(listener: () => void): void
  stop(): Promise<void>
}

/** Throws `unavailable` while the instance policy is not loaded, because its defaults would permit what staff forbids. */
export const requireLoaded = (policy: Pick<Policy, 'loaded'>): void => {
  if (!policy.loaded()) throw fail('unavailable', 'Try again in a moment', { retryAfter: 1 })
}

/** Milliseconds between two looks at a policy that is not loaded. */
const LOOK_MS = 50

/** Waits at most `ms` milliseconds until the instance policy is loaded. Returns false if it is not loaded then. */
export const awaitLoaded = async (policy: Pick<Policy, 'loaded'>, ms: number): Promise<boolean> => {
  const end = performance.now() + ms
  while (!policy.loaded() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  return policy.loaded()
}

/** Rule of the longest suffix of `host` that has one (`a.b.c`, `b.c`, `c`). The port is ignored. */
export const ruleFor = (rules: ReadonlyMap<string, DomainRule>, host: string): DomainRule | null => {
  for (
    let rest = host.toLowerCase().replace(/:\d+$/, '');
    rest;
    rest = rest.includes('.') ? rest.slice(rest.indexOf('.') + 1) : ''
  ) {
    const rule = rules.get(rest)
    if (rule) return rule
  }
  return null
}

/** Milliseconds between two comparisons of the received entries with the bucket, while no entry arrives. */
const CHECK_MS = 30_000

/**
 * Watches the bucket of the instance policy. Returns at once; `loaded` is false until the bucket was read. `checkMs`:
 * milliseconds between two comparisons with the bucket. Errors of the bus are logged, and the last policy stays.
 */
export const watchPolicy = (nc: NatsConnection, log: Log, checkMs = CHECK_MS): Policy => {
  let head: PolicyHead | null = null
  const chunks = new Map<number, DomainChunk>()
  let rules = new Map<string, DomainRule>()
  let allows = new Set<string>()
  const accessChunks = new Map<number, AccessChunk>()
  let access = accessRulesOf([])
  const listeners: (() => void)[] = []
  const defaults = InstanceSettings.parse({})
  let loaded = false
  /** True when all chunks of the policy that its head lists were received. */
  let whole = false
  let stopped = false
  let end: (() => void) | undefined
  /** Sequence of the newest entry that was received from the bucket. */
  let seen = 0
  let made = ''
  let behindAt = -1

  const rebuild = () => {
    if (!head) return
    const inForce = Array.from({ length: head.chunks }, (_, i) => chunks.get(i)).filter((one) => one !== undefined)
    const accessInForce = Array.from({ length: head.access ?? 0 }, (_, i) => accessChunks.get(i)).filter(
      (one) => one !== undefined,
    )
    whole = inForce.length === head.chunks && accessInForce.length === (head.access ?? 0)
    if (!whole) return
    loaded = true
    rules = new Map(inForce.flatMap((chunk) => chunk.blocks.map((rule) => [rule.domain, rule] as const)))
    allows = new Set(inForce.flatMap((chunk) => chunk.allows))
    access = accessRulesOf(accessInForce)
    for (const listener of listeners) listener()
  }
  /**
   * Processes one entry of the bucket. The writer writes chunks first and the head last. With the head, all chunks take
   * effect at once. If chunks are missing then, the policy takes effect when the last of them is received.
   */
  const take = (key: string, text: string) => {
    if (key === 'settings') head = PolicyHead.parse(JSON.parse(text))
    else if (key.startsWith('domains.')) chunks.set(Number(key.slice(8)), DomainChunk.parse(JSON.parse(text)))
    else if (key.startsWith('access.')) accessChunks.set(Number(key.slice(7)), AccessChunk.parse(JSON.parse(text)))
    if (key === 'settings' || !whole) rebuild()
  }
  const unread = new Set<string>()
  /**
   * Processes one entry of the bucket, like `take`. If this release cannot read an entry, its previous version stays in
   * force. Each such entry is logged once.
   */
  const takeReadable = (key: string, text: string) => {
    try {
      take(key, text)
    } catch (error) {
      if (!unread.has(key)) log.warn({ error, entry: key }, 'an entry of the instance policy cannot be read')
      unread.add(key)
    }
  }
  /**
   * Ends the watch if the bucket was created again or an entry did not arrive. A new watch then begins. A watch does
   * not notice that its bucket was deleted, and would receive no further entries.
   */
  const check = async () => {
    const { created, state } = await (await jetstreamManager(nc, { checkAPI: false })).streams.info(
      `KV_${POLICY_BUCKET}`,
    )
    const other = made !== '' && made !== created
    const stuck = state.last_seq > seen && seen === behindAt
    behindAt = state.last_seq > seen ? seen : -1
    made = created
    if (other || stuck) end?.()
  }
  // Errors are ignored, because the next check repeats the request: the bus may be unavailable, or the bucket missing.
  const look = () => void check().catch(() => undefined)
  const loop = async () => {
    for (let failures = 0; !stopped; ) {
      try {
        const kv = await new Kvm(nc).open(POLICY_BUCKET)
        const watch = await kv.watch()
        end = () => watch.stop()
        failures = 0
        seen = 0
        made = ''
        look()
        for await (const entry of watch) {
          seen = Math.max(seen, entry.revision)
          if (entry.operation === 'PUT') takeReadable(entry.key, entry.string())
        }
      } catch (error) {
        if (++failures === 20) log.warn({ error }, 'the instance policy cannot be read; defaults are in force')
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, Math.min(200 * 2 ** failures, 5_000)))
    }
  }
  const timer = setInterval(look, checkMs)
  timer.unref()
  const watchStatus = async () => {
    for await (const status of nc.status()) if (status.type === 'reconnect') end?.()
  }
  watchStatus().catch(() => undefined)
  loop()
  return {
    loaded: () => loaded,
    settings: () => head?.settings ?? defaults,
    domainRule: (host) => ruleFor(rules, host),
    allows: (host) => allows.has(host.toLowerCase()),
    allowsAnybody: () => allows.size > 0,
    access: () => access,
    onChange: (listener) => listeners.push(listener),
    async stop() {
      stopped = true
      clearInterval(timer)
      end?.()
    },
  }
}
