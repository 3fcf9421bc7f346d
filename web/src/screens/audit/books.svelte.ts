// What every page of the auditor looks up: the venue, its tables, its games and reports.

import { get } from '../../lib/api';
import { t } from '../../lib/i18n.svelte';
import { Load } from '../../lib/load.svelte';
import { bothNames } from '../../lib/names';
import type { OddsGame, ReportView } from '../../lib/protocol';
import { askVenue } from '../../lib/venue';

export class Books {
  venue = new Load(askVenue);
  games = new Load(() => get<OddsGame[]>('/api/odds/games'));
  reports = new Load(() => get<ReportView[]>('/api/reports'));

  load(): void {
    void this.reports.again();
    void this.games.again();
    void this.venue.again();
  }

  get zone(): string | undefined {
    return this.venue.value?.zone;
  }

  title(table: string): string {
    return t(this.venue.value?.tables.find((one) => one.table === table)?.title ?? table);
  }

  game(id: string): string {
    return t(this.games.value?.find((one) => one.id === id)?.title ?? id);
  }

  /** What a wager is called, in two languages; the same in every game. */
  wager(id: string): string {
    for (const game of this.games.value ?? []) {
      const found = game.wagers.find((one) => one.id === id);
      if (found) return bothNames(found);
    }
    return id;
  }
}

export const books = new Books();
