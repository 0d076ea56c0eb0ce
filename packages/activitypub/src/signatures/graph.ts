/** Computes RDF graphs of documents in a worker thread, with limits of size, number and time. */
import { Worker } from 'node:worker_threads'
import { createMemoryCache } from '@murmuration/flow'

export type GraphRefusal = 'too-large' | 'too-busy' | 'too-slow' | 'unknown-context' | 'no-graph'

export type Graph =
  | {
      ok: true
      /** Hash of the document's RDF graph: SHA-256 of its canonical N-Quads, hexadecimal. */
      hash: string
      /**
       * The signed part compacted with `context` of `createGraphs`, as JSON text. `compacted` is null unless the caller
       * requests the compacted text.
       */
      compacted: string | null
    }
  | { ok: false; reason: GraphRefusal }

export interface Graphs {
  /** Computes the graph of a document (JSON text). One document is processed at a time. */
  read(
    text: string,
    options?: {
      compact?: boolean
      /**
       * Owner of the document, such as its domain. After `MAX_SLOW` slow documents of an owner, further documents of
       * the owner are refused.
       */
      of?: string | null
    },
  ): Promise<Graph>
  close(): Promise<void>
}

/**
 * Maximum number of characters of a document; a longer document is refused. Documents of real statuses are much
 * smaller.
 */
const MAX_CHARACTERS = 131_072
const MAX_WAITING = 200
const SLOWEST_MS = 5_000
/**
 * Processing time in milliseconds from which a document counts as slow. After `MAX_SLOW` slow documents of one owner within
 * `REMEMBER_MS`, further documents of this owner are refused.
 */
const SLOW_MS = 1_000
const MAX_SLOW = 5
const REMEMBER_MS = 600_000
const MAX_REMEMBERED = 1_000
/** Additional milliseconds for the first document of a thread, because its time includes the start of the thread. */
const STARTING_MS = 10_000

type WorkerResult = { id: number; hash?: string; compacted?: string | null; refused?: GraphRefusal }
type Task = { id: number; text: string; wantsCompact: boolean; of: string | null; resolve(graph: Graph): void }

const file = new URL(import.meta.url.endsWith('.ts') ? './graph-worker.ts' : './graph-worker.js', import.meta.url)
const folder = new URL('../../contexts/', import.meta.url).href

/**
 * Creates the queue of documents for the graph thread. `context`: JSON-LD context with which documents are compacted.
 * The thread starts with the first document.
 */
export const createGraphs = (
  context: readonly unknown[],
  { slowestMs = SLOWEST_MS, maxWaiting = MAX_WAITING, slowMs = SLOW_MS } = {},
): Graphs => {
  let thread: Worker | null = null
  /**
   * True after the first result of the thread. Before the thread is ready, the measured time includes the start of the
   * thread.
   */
  let isWarm = false
  /** Number of recent slow documents per owner. */
  const slow = createMemoryCache<number>({ max: MAX_REMEMBERED, ttlMs: REMEMBER_MS, now: () => performance.now() })
  let current: { task: Task; timer: NodeJS.Timeout; since: number } | null = null
  let queue: Task[] = []
  let lastId = 0
  let closed = false

  const isTooMuch = (of: string | null): boolean => of !== null && (slow.get(of) ?? 0) >= MAX_SLOW

  const finish = (graph: Graph, wasWarm = isWarm): void => {
    if (current === null) return
    clearTimeout(current.timer)
    const { task, since } = current
    current = null
    const took = performance.now() - since - (wasWarm ? 0 : STARTING_MS)
    if (task.of !== null && took >= slowMs) slow.set(task.of, (slow.get(task.of) ?? 0) + 1)
    task.resolve(graph)
    next()
  }

  /** Terminates the worker thread, and refuses the document in work for `reason`. */
  const drop = (reason: GraphRefusal): void => {
    const [dropped, wasWarm] = [thread, isWarm]
    thread = null
    isWarm = false
    dropped?.removeAllListeners()
    dropped?.on('error', () => {})
    dropped?.terminate()
    finish({ ok: false, reason }, wasWarm)
  }

  const start = (): Worker => {
    const worker = new Worker(file, {
      workerData: { folder, context },
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    })
    worker.unref()
    worker.on('message', (resolve: WorkerResult) => {
      const wasWarm = isWarm
      isWarm = true
      if (resolve.id !== current?.task.id) return
      const { hash, compacted = null, refused = 'no-graph' } = resolve
      finish(hash === undefined ? { ok: false, reason: refused } : { ok: true, hash, compacted }, wasWarm)
    })
    // The worker thread may fail, for example if it is out of memory. The document in work is then refused.
    worker.on('error', () => worker === thread && drop('no-graph'))
    worker.on('exit', () => worker === thread && drop('no-graph'))
    return worker
  }

  const next = (): void => {
    if (current !== null) return
    const refused = queue.filter((it) => isTooMuch(it.of))
    if (refused.length) queue = queue.filter((it) => !isTooMuch(it.of))
    for (const it of refused) it.resolve({ ok: false, reason: 'too-busy' })
    const task = queue.shift()
    if (task === undefined) return
    thread ??= start()
    const timer = setTimeout(() => drop('too-slow'), isWarm ? slowestMs : slowestMs + STARTING_MS)
    current = { task, timer, since: performance.now() }
    thread.postMessage({ id: task.id, text: task.text, wantsCompact: task.wantsCompact })
  }

  return {
    read(text, { compact = false, of = null } = {}) {
      if (text.length > MAX_CHARACTERS) return Promise.resolve({ ok: false, reason: 'too-large' })
      if (closed || isTooMuch(of) || queue.length >= maxWaiting)
        return Promise.resolve({ ok: false, reason: 'too-busy' })
      return new Promise((resolve) => {
        queue.push({ id: ++lastId, text, wantsCompact: compact, of, resolve })
        next()
      })
    },
    async close() {
      closed = true
      const waiting = queue
      queue = []
      for (const task of waiting) task.resolve({ ok: false, reason: 'too-busy' })
      drop('too-busy')
    },
  }
}
