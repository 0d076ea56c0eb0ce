/** `GET …/feature_authorizations/:item`: that a person agreed to be in a collection. */

import {
  featureAuthorizationUri,
  writeFeatureAuthorization,
} from '@murmuration/activitypub/vocabulary/write-featured-collection'
import { collectionItemAuthorization } from '@murmuration/contracts/accounts'
import { showFeatureAuthorization } from '@murmuration/contracts/federation'
import { isId, notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { aboutPerson } from '../../requests/about-person.js'
import { documentAnswer, KEEP } from '../../requests/answer.js'

export const authorization = handle(showFeatureAuthorization, async (ctx, _viewer, input) => {
  const { request, asker, person } = await aboutPerson(ctx, input)
  const id = request.param('item') ?? ''
  const { authorization: given } = isId(id)
    ? await ctx.call(collectionItemAuthorization, { id })
    : { authorization: null }
  if (given?.account !== person.id) throw notFound()
  const uri = featureAuthorizationUri(person.uri, id)
  const document = writeFeatureAuthorization({ uri, account: person.uri, collection: given.collectionUri })
  return documentAnswer(request, document, { asker, secure: ctx.self.secure, seconds: KEEP.stamp })
})
