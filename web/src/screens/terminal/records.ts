// What /api/rounds and /api/shoes answer to a terminal: the parts of it that are shown here.

import type { InsuranceLine, Line, Phase, Winner } from '../../lib/protocol';

export interface RoundSummary {
  label: string;
  table: string;
  round: number;
  day: string;
  opened_at_ms: number;
  status: Phase;
  cards: string;
  winner: Winner | null;
  player_total: number | null;
  banker_total: number | null;
  staked: number;
  returned: number;
}

export interface RecalledStep {
  at_ms: number;
  kind: string;
  says: string;
  paragraph: string;
}

export interface RecalledSeat {
  seat: number;
  credit_before: number;
  credit_after: number;
  lines: Line[];
  insurance_lines: InsuranceLine[];
  staked: number;
  returned: number;
  void_returned: number;
}

export interface Recalled extends RoundSummary {
  player_cards: string;
  banker_cards: string;
  void_why: string;
  steps: RecalledStep[];
  seats: RecalledSeat[];
}

export interface ShoeShown {
  table: string;
  shoe: number;
  decks: number;
  commitment: string;
  committed_at_ms: number;
  revealed: boolean;
  salt: string | null;
  order: string | null;
  dealt: string | null;
  commitments: string[];
}
