/** The decoder processes: started by the first picture, few at once, watched, and gone when nothing was asked for a while. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fail } from '@murmuration/contracts/kit'
import type { Order, Result } from './image.js'

export interface Decoders {
  /** Makes what the order says. Rejects with `unavailable` when too many wait, with `unknown` when the decoder died of it. */
  render(order: Order): Promise<Result>
  close(): void
}

export interface DecoderOptions {
  /** Pictures decoded at once. */
  count: number
  /** Most time for one picture. */
  timeoutMs: number
  /** Unused decoders end after this. */
  idleMs: number
  /** Bytes one decoder may hold besides what Node reserves. */
  memoryBytes: number
  avif: boolean
  /** Nothing of ours reaches the decoder: no secrets, no settings. */
  env: NodeJS.ProcessEnv
}

/** Memory that V8 reserves for code, used or not; the operating system counts it. */
const RESERVED_BYTES = 640 * 1_048_576
const WAITING_PER_DECODER = 16
const MOST_WAIT_MS = 30_000

interface Task {
  order: Order
  done(result: Result): void
  failed(error: unknown): void
  waiting: NodeJS.Timeout
}

const busy = () => fail('unavailable', 'The server is busy, please try again', { retryAfter: 2 })
const crashed = (cause: unknown) => fail('unknown', 'Error processing thumbnail for uploaded media', { cause })

/** Lets Node read our sources by itself: a relative name that ends in `.js` is that of a `.ts` file. */
const SOURCES = `import { registerHooks } from 'node:module'
registerHooks({
  resolve: (name, from, next) => next(from.parentURL?.endsWith('.ts') ? name.replace(/^(\\.{1,2}\\/.*)\\.js$/, '$1.ts') : name, from),
})`

/** The built package runs as it is; sources without a loader, whose memory would count against the limit. */
const command = (): string[] => {
  const here = import.meta.url
  if (!here.endsWith('.ts')) return [fileURLToPath(new URL('./decoder.js', here))]
  const hooks = `data:text/javascript,${encodeURIComponent(SOURCES)}`
  return ['--import', hooks, fileURLToPath(new URL('./decoder.ts', here))]
}

/** The shell sets the limit, which a process cannot set for itself in Node, and then becomes the decoder. */
const start = (options: DecoderOptions): ChildProcess => {
  const kilobytes = Math.ceil((RESERVED_BYTES + options.memoryBytes) / 1_024)
  const node = [process.execPath, '--max-old-space-size=64', ...command(), ...(options.avif ? ['avif'] : [])]
  const child = spawn(
    '/bin/sh',
    ['-c', `ulimit -c 0; ulimit -d ${kilobytes} 2>/dev/null; exec "$@"`, 'decoder', ...node],
    {
      env: options.env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    },
  )
  child.unref()
  child.channel?.unref()
  return child
}

export const createDecoders = (options: DecoderOptions): Decoders => {
  const idle: { child: ChildProcess; ending: NodeJS.Timeout }[] = []
  const running = new Set<ChildProcess>()
  const waiting: Task[] = []
  let closed = false

  const rest = (child: ChildProcess): void => {
    const end = () => {
      clearTimeout(ending)
      const at = idle.findIndex((one) => one.child === child)
      if (at >= 0) idle.splice(at, 1)
      child.kill('SIGKILL')
    }
    const ending = setTimeout(end, options.idleMs)
    ending.unref()
    child.once('exit', end)
    idle.push({ child, ending })
  }

  const take = (): ChildProcess => {
    const rested = idle.pop()
    if (!rested) return start(options)
    clearTimeout(rested.ending)
    return rested.child.removeAllListeners('exit')
  }

  const run = (task: Task): void => {
    clearTimeout(task.waiting)
    const child = take()
    running.add(child)
    const finish = (settle: () => void): void => {
      if (!running.delete(child)) return
      clearTimeout(timer)
      // An error that comes later has nobody to hear it, and must not end this process.
      child.removeAllListeners().on('error', () => {})
      settle()
      const next = closed ? undefined : waiting.shift()
      if (next) run(next)
    }
    const lost = (cause: unknown) =>
      finish(() => {
        child.kill('SIGKILL')
        task.failed(crashed(cause))
      })
    const timer = setTimeout(() => lost(new Error('a picture took too long to decode')), options.timeoutMs)
    child.once('message', (result: Result) =>
      finish(() => {
        rest(child)
        task.done(result)
      }),
    )
    child.once('error', lost)
    child.once('exit', (code, signal) => lost(new Error(`the decoder ended with ${signal ?? code}`)))
    child.send(task.order, (error) => {
      if (error) lost(error)
    })
  }

  return {
    render: (order) =>
      new Promise((done, failed) => {
        if (closed || waiting.length >= options.count * WAITING_PER_DECODER) {
          failed(busy())
          return
        }
        const giveUp = () => {
          waiting.splice(waiting.indexOf(task), 1)
          failed(busy())
        }
        const task: Task = { order, done, failed, waiting: setTimeout(giveUp, MOST_WAIT_MS) }
        if (running.size < options.count) run(task)
        else waiting.push(task)
      }),
    close() {
      closed = true
      for (const { child } of idle.splice(0)) child.kill('SIGKILL')
      for (const child of running) child.kill('SIGKILL')
      for (const task of waiting.splice(0)) {
        clearTimeout(task.waiting)
        task.failed(busy())
      }
    },
  }
}
