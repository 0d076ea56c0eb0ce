/** Tests of how the processes of the product are started. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { productArgv } from './product.mjs'

const run = promisify(execFile)
const endpoint = 'http://127.0.0.1:9'

test('every process records traces when an endpoint is named, and only then', async () => {
  const argv = productArgv(process.execPath, ['gateway']).slice(1)
  const script = argv.findIndex((word) => word.endsWith('bin/serve.ts'))
  expect(argv.slice(script + 1)).toEqual(['gateway'])
  const isOn = "import { isTelemetryOn } from '@murmuration/telemetry'; console.log(isTelemetryOn()); process.exit()"
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _, ...env } = process.env
  const ask = async (more: Record<string, string>) =>
    (
      await run(process.execPath, [...argv.slice(0, script), '--input-type=module', '-e', isOn], {
        env: { ...env, ...more },
      })
    ).stdout.trim()
  expect(await ask({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toBe('true')
  expect(await ask({})).toBe('false')
})
