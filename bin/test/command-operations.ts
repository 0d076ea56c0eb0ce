/** Operations that the commands of operators call, by the imports of the files in `bin/control`. */
import { readdirSync, readFileSync } from 'node:fs'
import * as accounts from '@murmuration/contracts/accounts'
import * as admin from '@murmuration/contracts/admin'
import * as federation from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import * as media from '@murmuration/contracts/media'
import * as notifications from '@murmuration/contracts/notifications'
import * as statuses from '@murmuration/contracts/statuses'

const contracts: Record<string, unknown> = {
  ...accounts,
  ...admin,
  ...federation,
  ...media,
  ...notifications,
  ...statuses,
}
const isOperation = (value: unknown): value is AnyOperation => (value as { kind?: unknown })?.kind === 'operation'

export const commandOperations = (): AnyOperation[] => {
  const folder = new URL('../control/', import.meta.url)
  const imported = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    return [...text.matchAll(/import (?:type )?\{([^}]*)\} from '@murmuration\/contracts\/\w+'/g)].flatMap(
      ([, names = '']) =>
        names
          .split(',')
          .map((one) => one.replace(/ as .*/, '').trim())
          .flatMap((name) => (isOperation(contracts[name]) ? [contracts[name] as AnyOperation] : [])),
    )
  })
  return [...new Set(imported)]
}
