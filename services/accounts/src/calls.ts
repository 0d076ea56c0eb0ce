/** Operations of other services that the accounts service may call. Any other call is a type error. */
import {
  fetchActor,
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchFeaturedItem,
  fetchLinkBack,
} from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import {
  cleanUpReplaced,
  dropPictures,
  emojiFind,
  makePicture,
  picturesDelete,
  proxyUrls,
  remoteEmojiDelete,
  replacedPictures,
} from '@murmuration/contracts/media'

export const calls = [
  dropPictures,
  emojiFind,
  fetchActor,
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchFeaturedItem,
  fetchLinkBack,
  makePicture,
  picturesDelete,
  proxyUrls,
  remoteEmojiDelete,
  replacedPictures,
  cleanUpReplaced,
] as const satisfies readonly AnyOperation[]
