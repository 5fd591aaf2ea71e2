# The intervals of intraclass correlations by psych: Rscript psych_icc.R > psych_icc.txt (recorded with psych 2.2.9, R 4.2.2).
suppressMessages(library(psych))
scores <- matrix(c(9,2,5,8, 6,1,3,2, 8,4,6,8, 7,1,2,6, 10,5,6,9, 6,2,4,7), ncol = 4, byrow = TRUE)
twice <- rbind(scores, scores + c(1, 0, 2, 1, 0, 1))
found <- ICC(twice, lmer = FALSE)$results
for (row in seq_len(nrow(found))) cat(found$type[row], sprintf("%.10f", unlist(found[row, c("ICC", "lower bound", "upper bound")])), "\n")
