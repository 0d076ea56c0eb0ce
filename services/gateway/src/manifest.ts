/** The floor plan of the gateway: routes to everything, owns nothing. */
import {
  authorizationApprove,
  authorizationDeny,
  authorizationPrepare,
  backupCodeRenew,
  grantList,
  grantRevoke,
  identityBegin,
  identityClaim,
  identityFinish,
  identityLink,
  identityShow,
  oneTimeCodeBegin,
  oneTimeCodeConfirm,
  secondFactorRemove,
  secondFactorShow,
  securityKeyAdd,
  securityKeyBegin,
  securityKeyRemove,
  sessionEnd,
  sessionFactors,
  sessionFinish,
  sessionList,
  sessionResolve,
  sessionSignIn,
  sessionSignOut,
  signInList,
  tokenResolve,
} from '@murmuration/contracts/accounts'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { routedOperations } from '@murmuration/contracts/registry'
import { service } from '@murmuration/kernel'

/** Who is behind a token or a session, consent, and whatever has a route. */
const own = [
  tokenResolve,
  sessionResolve,
  sessionSignIn,
  sessionSignOut,
  authorizationPrepare,
  authorizationApprove,
  authorizationDeny,
  sessionFactors,
  sessionFinish,
  sessionList,
  sessionEnd,
  signInList,
  grantList,
  grantRevoke,
  secondFactorShow,
  secondFactorRemove,
  oneTimeCodeBegin,
  oneTimeCodeConfirm,
  backupCodeRenew,
  securityKeyBegin,
  securityKeyAdd,
  securityKeyRemove,
  identityBegin,
  identityFinish,
  identityShow,
  identityClaim,
  identityLink,
] as const
export const calls = [...own, ...routedOperations()] as readonly ((typeof own)[number] | AnyOperation)[]

export const manifest = service('gateway', {
  calls,
  database: false,
  roles: {
    client: {
      http: { port: 3000, surface: 'client' },
      scales: 'requests',
      needs: ['nats', 'redis', 'blob'],
      replicas: { min: 2, max: 40 },
    },
    federation: {
      http: { port: 3000, surface: 'federation' },
      scales: 'incoming activities',
      needs: ['nats', 'redis'],
      replicas: { min: 2, max: 40 },
    },
  },
})
