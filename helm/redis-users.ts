/** The Redis users of the cluster as a file of rules, from which make-secrets.sh makes the users with their passwords. */
import { type Manifest, redisContradictions, redisRulesOf } from '@murmuration/kernel'

/** A line for each store and service: `STORE SERVICE RULES`. Throws when manifests contradict each other. */
export const redisUsers = (manifests: readonly Manifest[]): string => {
  const wrong = redisContradictions(manifests)
  if (wrong.length) throw new Error(wrong.join('\n'))
  const lines = (['state', 'cache'] as const).flatMap((store) =>
    manifests.flatMap((manifest) => {
      const rules = redisRulesOf(manifest, store)
      return rules === null ? [] : [`${store} ${manifest.service} ${rules}\n`]
    }),
  )
  const head =
    '# Permissions of each service in each Redis; written by bin/gen from the manifests, read by make-secrets.sh.\n'
  return head + lines.join('')
}
