// What is running, for every screen: with it come the names of its wagers and interpretations.

import { get } from './api';
import { words } from './i18n.svelte';
import type { VenueView } from './protocol';
import { interpretations } from './rules.svelte';

export async function askVenue(): Promise<VenueView> {
  const venue = await get<VenueView>('/api/venue');
  words.learn(venue.names);
  interpretations.learn(venue.interpretations);
  return venue;
}

/** The same for the walls: a table that is set aside for training is none of the floor. */
export async function askFloor(): Promise<VenueView> {
  const venue = await askVenue();
  return { ...venue, tables: venue.tables.filter((one) => !one.training) };
}
