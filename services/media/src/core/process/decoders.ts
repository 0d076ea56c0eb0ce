/** Decoder processes: started when needed, limited in number, supervised, and ended when idle. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Failure, fail } from '@murmuration/contracts/kit'
import type { Order, Result } from '../image/image.js'
import { ChildStopped, OUTSIDE_SIGNALS } from './child.js'

export interface Decoders {
  /**
   * Decodes the picture of an order. Rejects with `unavailable` if too many orders wait, or if the decoder was killed.
   * Rejects with `unknown` if the decoder crashed or exceeded its time limit.
   */
  render(order: Order): Promise<Result>
  close(): void
}

export interface DecoderOptions {
  /** Maximum number of decoder processes. Each decodes one picture at a time. */
  count: number
  /** Time limit of one picture in milliseconds. */
  timeoutMs: number
  /** Time in milliseconds after which an idle decoder ends. */
  idleMs: number
  /** Maximum bytes of memory of one decoder, in addition to the memory that Node reserves. */
  memoryBytes: number
  avif: boolean
  /** Complete environment of a decoder. The environment must contain no secrets and no settings. */
  env: NodeJS.ProcessEnv
}

/** Memory in bytes that V8 reserves for code. The operating system counts reserved memory even if it is not used. */
const RESERVED_BYTES = 640 * 1_048_576
/** Maximum number of waiting orders per decoder. A gateway processes no more uploads at once, so no upload is refused. */
const WAITING_PER_DECODER = 20
const MAX_WAIT_MS = 30_000
/** Share of the time limit that an animation may use. In the rest, the decoder can start and draw a still picture. */
const MOTION_SHARE = 0.5

interface Task {
  order: Order
  done(result: Result): void
  failed(error: unknown): void
  waiting: NodeJS.Timeout
}

const busy = () => fail('unavailable', 'The server is busy, please try again', { retryAfter: 2 })
const killed = (signal: string) =>
  fail('unavailable', 'There was a temporary problem serving your request, please try again', {
    cause: new ChildStopped('killed', `the decoder was ended by ${signal}`),
  })
const crashed = (cause: unknown) => fail('unknown', 'Error processing thumbnail for uploaded media', { cause })

/** Module hook with which Node loads the TypeScript sources: a relative import that ends in `.js` means a `.ts` file. */
const SOURCES = `import { registerHooks } from 'node:module'
registerHooks({
  resolve: (name, from, next) => next(from.parentURL?.endsWith('.ts') ? name.replace(/^(\\.{1,2}\\/.*)\\.js$/, '$1.ts') : name, from),
})`

/**
 * Arguments that start a decoder from the built package, or from the TypeScript sources with a hook. A loader package
 * would need too much of the memory limit.
 */
const command = (): string[] => {
  const here = import.meta.url
  if (!here.endsWith('.ts')) return [fileURLToPath(new URL('./decoder.js', here))]
  const hooks = `data:text/javascript,${encodeURIComponent(SOURCES)}`
  return ['--import', hooks, fileURLToPath(new URL('./decoder.ts', here))]
}

/** Starts a decoder. A shell sets the memory limit, which Node cannot set, and then executes the decoder. */
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
    const finish = (report: () => void): void => {
      if (!running.delete(child)) return
      clearTimeout(timer)
      // The child process may emit an error later. An error without a listener would end this process.
      child.removeAllListeners().on('error', () => {})
      report()
      const next = closed ? undefined : waiting.shift()
      if (next) run(next)
    }
    const stop = (error: Failure) =>
      finish(() => {
        child.kill('SIGKILL')
        task.failed(error)
      })
    const lost = (cause: unknown) => stop(crashed(cause))
    const timer = setTimeout(() => lost(new Error('a picture took too long to decode')), options.timeoutMs)
    child.once('message', (result: Result) =>
      finish(() => {
        if (result.isBusy) child.kill('SIGKILL')
        else rest(child)
        task.done(result)
      }),
    )
    child.once('error', lost)
    child.once('exit', (code, signal) => {
      // The picture may not be the cause, for example if the kernel lacked memory.
      if (signal !== null && OUTSIDE_SIGNALS.has(signal)) stop(killed(signal))
      else lost(new Error(`the decoder ended with ${signal ?? code}`))
    })
    child.send({ motionMs: options.timeoutMs * MOTION_SHARE, ...task.order }, (error) => {
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
        const task: Task = { order, done, failed, waiting: setTimeout(giveUp, MAX_WAIT_MS) }
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
