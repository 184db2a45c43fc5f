/** A measured outcome with the facts of its measure, as the API gives them. */
export interface Outcome {
  id: string;
  score_before: number | null;
  score_after: number;
  people_before: number | null;
  people: number;
  follow_up_weeks: number | null;
  device_before: string | null;
  measure: {
    abbreviation: string;
    name: string;
    unit: string;
    minimum: number;
    maximum: number;
    is_open: boolean;
    direction: string;
    reference: string;
    reference_url: string;
    error_size: number | null;
    error_kind: string | null;
    error_population: string | null;
    error_reference: string | null;
    error_url: string | null;
  };
}

/** What an outcome is read with, and the facts of its measure. */
export const outcomeColumns =
  'id,score_before,score_after,people_before,people,follow_up_weeks,device_before,measure:outcome_measures(abbreviation,name,unit,minimum,maximum,is_open,direction,reference,reference_url,error_size,error_kind,error_population,error_reference,error_url)';
