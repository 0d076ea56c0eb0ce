/**
 * Writes all lines of the output of a product process to its log file, and warnings and errors in short form to the
 * terminal.
 */
import { closeSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { openLog } from './log-file.mjs'

const maxLine = 65_536
const maxShort = 300
const rotateBytes = 50_000_000

/** Maximum number of lines of one process that the terminal shows in ten seconds. The log file contains all lines. */
const maxShown = 20

/**
 * Returns a reader for the output of a process: it writes lines to the log file and shows some of them.
 * @param {{file: string, name: string, show: (line: string) => void}} options
 * @returns {{read: (stream: import('node:stream').Readable) => void, lastError: () => string, dropError: () => void, close: () => void}}
 */
export function logLines({ file, name, show }) {
  let { fd, from: size } = openLog(file)
  let lastError = ''
  let closed = false
  const limited = limit(show, name)
  const write = (line) => {
    if (closed) return
    size += writeSync(fd, `${line}\n`)
    if (size > rotateBytes) {
      closeSync(fd)
      ;({ fd, from: size } = openLog(file, rotateBytes))
    }
    const short = shortForm(line)
    if (short === null) return
    if (!short.startsWith('warning')) lastError = short
    limited(`${name}: ${short}`)
  }
  return {
    read: (stream) => eachLine(stream, write),
    lastError: () => lastError,
    dropError() {
      lastError = ''
    },
    close() {
      closed = true
      closeSync(fd)
    },
  }
}

/** Short form of a log line for the terminal; null if the terminal does not show the line. */
export function shortForm(line) {
  const record = parsed(line)
  if (!record) return /^[\s(]|^Node\.js v|^\P{L}*$/u.test(line) ? null : line.slice(0, maxShort)
  const level = levelOf(record.level)
  if (!level) return null
  const reason = record.err?.message ?? record.error?.message ?? record.error ?? ''
  const text = [level, record.service, record.msg ?? record.message, typeof reason === 'string' ? reason : '']
  return [...new Set(text.filter(Boolean))].join(' ').slice(0, maxShort)
}

/** Level of a log record: `warning`, `error`, or null for lower levels. The logger pino writes levels as numbers. */
const levelOf = (level) =>
  ({ warn: 'warning', error: 'error', fatal: 'error', 40: 'warning', 50: 'error', 60: 'error' })[level] ?? null

function parsed(line) {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** Calls `take` with each complete line of a stream. A line that is longer than `maxLine` is cut. */
function eachLine(stream, take) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  stream.on('data', (bytes) => {
    const lines = (rest + decoder.write(bytes)).split('\n')
    rest = lines.pop()
    for (const line of lines) take(line.slice(0, maxLine))
    if (rest.length > maxLine) {
      take(rest.slice(0, maxLine))
      rest = ''
    }
  })
  stream.on('end', () => rest && take(rest))
}

function limit(show, name) {
  let shown = 0
  let windowEnds = 0
  return (line) => {
    if (Date.now() > windowEnds) {
      shown = 0
      windowEnds = Date.now() + 10_000
    }
    shown += 1
    if (shown <= maxShown) show(line)
    if (shown === maxShown) show(`${name}: more lines follow, see its log`)
  }
}
