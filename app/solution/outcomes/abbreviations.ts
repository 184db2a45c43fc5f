/* Made by "npm run generate" from the table outcome_measures. */
export const abbreviations: readonly string[] = ["AMPPRO","AMPnoPRO","TUG","L-Test","10mWT","2MWT","6MWT","CHAMP","PLUS-M","SCS","PEQ-RL","PEQ-UT","TAPES-R PA","TAPES-R AR","TAPES-R SAT","PSFS","EQ-5D-5L","EQ VAS","BBT","SHAP","ACMC","OPUS-UEFS","DASH","QuickDASH","PUFI","AHA"];
