/** Command lines of the processes of the product. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { productArgv } from './product.mjs'

const run = promisify(execFile)
const endpoint = 'http://127.0.0.1:9'

test('every process records traces only when an endpoint is set', async () => {
  const argv = productArgv(process.execPath, ['gateway']).slice(1)
  const script = argv.findIndex((word) => word.endsWith('bin/serve.ts'))
  expect(argv.slice(script + 1)).toEqual(['gateway'])
  const isOn = "import { isTelemetryOn } from '@murmuration/telemetry'; console.log(isTelemetryOn()); process.exit()"
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _, ...env } = process.env
  const call = async (more: Record<string, string>) =>
    (
      await run(process.execPath, [...argv.slice(0, script), '--input-type=module', '-e', isOn], {
        env: { ...env, ...more },
      })
    ).stdout.trim()
  expect(await call({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toBe('true')
  expect(await call({})).toBe('false')
})

test('the young generation of a process may grow to two semi-spaces of 16 MiB', async () => {
  const argv = productArgv(process.execPath, ['gateway']).slice(1)
  const grow = `
    import { getHeapSpaceStatistics } from 'node:v8'
    const size = () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size
    let [kept, most] = [[], 0]
    for (let i = 1; i <= 2_000_000; i++) {
      kept.push({ i, list: [i] })
      if (i % 20_000 === 0) [kept, most] = [[], Math.max(most, size())]
    }
    console.log(most / 1_048_576)
    process.exit()`
  const options = argv.slice(0, argv.indexOf('--conditions=source'))
  expect(options).not.toEqual([])
  const { stdout } = await run(process.execPath, [...options, '--input-type=module', '-e', grow])
  expect(Number(stdout)).toBe(32)
})
