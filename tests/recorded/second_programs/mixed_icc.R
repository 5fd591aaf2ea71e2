# Variances of items, raters and the rest by lme4 (REML), of gaps.csv with raters made unequal: Rscript mixed_icc.R > mixed_icc.txt
# Debian 12: R 4.2.2, lme4 1.1-31.
suppressMessages(library(lme4))
table <- read.csv("gaps.csv")
long <- reshape(table, idvar = "item", varying = names(table)[-1], v.names = "value", timevar = "rater",
                times = names(table)[-1], direction = "long")
long <- long[!is.na(long$value), ]
long$value <- long$value + c(Ann = 0, Ben = 0.8, Cyd = -0.5, Dee = 0.2)[long$rater]
strict <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5))
variances <- function(model) {
  found <- as.data.frame(VarCorr(lmer(model, long, control = strict)))
  cat(found$grp, format(found$vcov, digits = 10), "\n")
}
variances(value ~ 1 + (1 | item) + (1 | rater))
variances(value ~ 1 + (1 | item))
