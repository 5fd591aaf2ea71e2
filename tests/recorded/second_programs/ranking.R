# What lme4, limma, sandwich and clubSandwich make of systems.csv; run as: Rscript ranking.R > ranking.txt
# Debian 12: R 4.2.2, lme4 1.1-31, limma 3.54.1, sandwich 3.0-2, clubSandwich 0.5.8.
suppressMessages({library(lme4); library(limma); library(sandwich); library(clubSandwich)})
options(digits = 12)
say <- function(name, values) cat(name, "=", paste(format(values, digits = 12, trim = TRUE), collapse = " "), "\n")
ratings <- read.csv("systems.csv")
ratings$place <- paste(ratings$document, ratings$segment)
means <- aggregate(value ~ system + document + place, ratings, mean)

# Variances of a system in a document and of a segment's score, by REML; documents are of one length.
fit <- lmer(value ~ 0 + system + (1 | document) + (1 | place) + (1 | document:system), means)
found <- as.data.frame(VarCorr(fit))
say("tau2", found$vcov[found$grp == "document:system"])
say("sigma2", found$vcov[found$grp == "Residual"])

# Document means of every pair of systems, their variances, and the moderated ones.
by_document <- aggregate(value ~ system + document, means, mean)
wide <- reshape(by_document, idvar = "document", timevar = "system", direction = "wide")[, -1]
pairs <- combn(5, 2)
differences <- sapply(seq_len(ncol(pairs)), function(at) wide[, pairs[1, at]] - wide[, pairs[2, at]])
variances <- apply(differences, 2, var)
made <- squeezeVar(variances, 5)
say("differences", colMeans(differences))
say("variances", variances)
say("moderated", made$var.post)
say("prior_freedom", made$df.prior)
# The same with variances that differ truly.
spread <- variances * c(1, 8, 0.2, 3, 1, 0.5, 12, 1, 0.3, 2)
made <- squeezeVar(spread, 5)
say("spread", spread)
say("spread_moderated", made$var.post)
say("spread_prior_freedom", made$df.prior)

# Every pair: clusters of documents and raters; the first: clusters of documents.
of_pair <- function(at) {
  names <- sort(unique(ratings$system))[pairs[, at]]
  two <- reshape(ratings[ratings$system %in% names, c("rater", "value", "system", "place", "document")],
                 idvar = c("place", "rater", "document"), timevar = "system", direction = "wide")
  two$difference <- two[[paste0("value.", names[1])]] - two[[paste0("value.", names[2])]]
  two
}
two <- of_pair(1)
plain <- lm(difference ~ 1, two)
test <- coef_test(plain, vcov = vcovCR(plain, cluster = two$document, type = "CR2"), test = "Satterthwaite")
say("cr2", c(test$beta, test$SE, test$df_Satt, test$p_Satt))
clustered <- function(at, by) {
  two <- of_pair(at)
  vcovCL(lm(difference ~ 1, two), cluster = two[, by], type = "HC0", cadjust = TRUE)[1, 1]
}
say("rater_variances", sapply(1:10, clustered, by = "rater"))
say("two_way_variances", sapply(1:10, clustered, by = c("document", "rater")))
