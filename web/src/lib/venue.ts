// What is running, for every screen: with it come the names of its wagers, which the server's sentences are told with.

import { get } from './api';
import { words } from './i18n.svelte';
import type { VenueView } from './protocol';

export async function askVenue(): Promise<VenueView> {
  const venue = await get<VenueView>('/api/venue');
  words.learn(venue.names);
  return venue;
}
