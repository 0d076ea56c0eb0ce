// Without telemetry, the helpers only call the given function.
import { expect, test } from 'vitest'
import {
  currentTraceId,
  describeSpan,
  extractTrace,
  injectTrace,
  inSpan,
  isTelemetryOn,
  shutdownTelemetry,
} from './index.js'

test('off: spans call the function, and results and errors are unchanged', async () => {
  expect(isTelemetryOn()).toBe(false)
  expect(inSpan('sum', { a: 1 }, () => 41 + 1)).toBe(42)
  await expect(inSpan('later', {}, async () => 'done', { kind: 'consumer' })).resolves.toBe('done')
  const refusal = new Error('no')
  expect(() =>
    inSpan('refuse', {}, () => {
      throw refusal
    }),
  ).toThrow(refusal)
})

test('off: nothing is written to or read from a message', async () => {
  const headers = new Map<string, string>()
  injectTrace((name, value) => headers.set(name, value))
  expect(headers.size).toBe(0)
  const asked: string[] = []
  expect(extractTrace((name) => void asked.push(name))).toBeUndefined()
  expect(asked).toEqual([])
  describeSpan({ 'http.route': '/' }, 'GET /')
  expect(currentTraceId()).toBeUndefined()
  await expect(shutdownTelemetry()).resolves.toBeUndefined()
})
