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
  deletePictures,
  deleteRemoteEmoji,
  dropPictures,
  findEmojis,
  makePicture,
  proxyUrls,
  replacedPictures,
} from '@murmuration/contracts/media'

export const calls = [
  dropPictures,
  findEmojis,
  fetchActor,
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchFeaturedItem,
  fetchLinkBack,
  makePicture,
  deletePictures,
  proxyUrls,
  deleteRemoteEmoji,
  replacedPictures,
  cleanUpReplaced,
] as const satisfies readonly AnyOperation[]
